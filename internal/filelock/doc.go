// Package filelock has locks on files that the system frees when the process ends, however it ends: an exclusive or
// shared one, a lock that programs take in turns, and a file by which others see that this program is alive.
package filelock
