// Package filelock provides file locks that the system releases when the process ends in any way: an exclusive or
// shared lock, a lock that programs take in turns, and a file that shows other programs that this one is running.
package filelock
