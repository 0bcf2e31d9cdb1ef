//go:build linux

package faulttest

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// tracedCalls are the calls that change files, and those that say how.
const tracedCalls = "open,openat,openat2,creat,write,pwrite64,writev,pwritev,pwritev2,fsync,fdatasync," +
	"sync_file_range,syncfs,sync,ftruncate,truncate,fallocate,rename,renameat,renameat2,unlink,unlinkat,link,linkat," +
	"symlink,symlinkat,mkdir,mkdirat,rmdir,lseek,copy_file_range,sendfile,splice"

// Traced returns a command that runs a program under strace, which writes the program's calls, and those of all it
// starts, to a file for [ReadTrace].
func Traced(trace string, program ...string) *exec.Cmd {
	return exec.Command("strace", append([]string{"-f", "--seccomp-bpf", "-y", "-xx", "-s", "33554432", "-e",
		"signal=none", "-e", "trace=" + tracedCalls, "-o", trace}, program...)...)
}

// What an event does.
const (
	doCreate = iota
	doWrite
	doTruncate
	doSync
	doRename
	doLink
	doUnlink
	doMkdir
	doSay
)

// Event is one change of a file, one sync, or one text on standard output.
type Event struct {
	at, end    int // lines of the trace
	do         int
	path, to   string
	from, size int64 // from is -1 at the end of the file
	data       []byte
}

// Path returns the file that the event changes or syncs; for standard output, the pipe.
func (e *Event) Path() string { return e.path }

// Said returns what was written to standard output.
func (e *Event) Said() (text []byte, is bool) { return e.data, e.do == doSay }

// IsSync reports whether the event is a sync.
func (e *Event) IsSync() bool { return e.do == doSync }

// call is a traced call. An end of -1 is one that did not return.
type call struct {
	name       string
	args       []byte
	result     string
	start, end int
}

func (c *call) failed() bool { return strings.HasPrefix(c.result, "-") }

// ReadTrace returns the events below a folder, in their order. It fails if a file there was changed by a call that this
// package does not know.
func ReadTrace(trace, folder string) ([]Event, error) {
	f, err := os.Open(trace)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	calls, err := readCalls(bufio.NewReaderSize(f, 1<<20))
	if err != nil {
		return nil, err
	}
	r := tracer{folder: folder, offsets: map[string]int64{}, appends: map[string]bool{}, copied: map[string]int64{}}
	for i := range calls {
		if err := r.take(&calls[i]); err != nil {
			return nil, fmt.Errorf("line %d of the trace: %s: %w", calls[i].start, calls[i].name, err)
		}
	}
	slices.SortStableFunc(r.events, func(a, b Event) int { return a.at - b.at })
	return r.events, nil
}

func readCalls(in *bufio.Reader) (all []call, err error) {
	type begun struct {
		at   int
		text []byte
	}
	unfinished := map[string]begun{}
	for n := 0; ; n++ {
		line, err := in.ReadBytes('\n')
		if len(line) == 0 && errors.Is(err, io.EOF) {
			break
		}
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, err
		}
		thread, rest, _ := bytes.Cut(bytes.TrimSpace(line), []byte(" "))
		rest = bytes.TrimLeft(rest, " ")
		start := n
		if text, is := bytes.CutSuffix(rest, []byte(" <unfinished ...>")); is {
			unfinished[string(thread)] = begun{n, text}
			continue
		}
		if _, after, is := bytes.Cut(rest, []byte(" resumed>")); is && bytes.HasPrefix(rest, []byte("<... ")) {
			b := unfinished[string(thread)]
			delete(unfinished, string(thread))
			start, rest = b.at, append(b.text, after...)
		}
		if c, is := parseCall(rest, start, n); is {
			all = append(all, c)
		}
	}
	for _, b := range unfinished {
		if name, args, is := bytes.Cut(b.text, []byte("(")); is {
			all = append(all, call{string(name), args, "?", b.at, int(^uint(0) >> 1)})
		}
	}
	slices.SortFunc(all, func(a, b call) int { return a.start - b.start })
	return all, nil
}

func parseCall(text []byte, start, end int) (call, bool) {
	name, rest, is := bytes.Cut(text, []byte("("))
	at := bytes.LastIndex(rest, []byte("= "))
	if !is || at < 0 {
		return call{}, false
	}
	args := bytes.TrimSuffix(bytes.TrimRight(rest[:at], " "), []byte(")"))
	return call{string(name), args, string(rest[at+2:]), start, end}, true
}

// tracer turns calls into events.
type tracer struct {
	folder  string
	events  []Event
	offsets map[string]int64 // of an open file, by its description
	appends map[string]bool
	copied  map[string]int64
}

func (r *tracer) inside(path string) bool {
	return path == r.folder || strings.HasPrefix(path, r.folder+"/")
}

func (r *tracer) add(e Event) {
	if e.do == doSay || r.inside(e.path) || r.inside(e.to) {
		r.events = append(r.events, e)
	}
}

// take adds the events of a call.
func (r *tracer) take(c *call) error {
	if c.failed() || c.name == "sync" {
		return nil
	}
	descriptor, path := described(c.args)
	switch c.name {
	case "open", "openat", "openat2", "creat":
		r.open(c)
	case "write", "pwrite64":
		return r.write(c, descriptor, path)
	case "lseek":
		var err error
		r.offsets[descriptor+path], err = strconv.ParseInt(strings.Fields(c.result)[0], 10, 64)
		return err
	case "fsync", "fdatasync":
		if c.result != "?" {
			r.add(Event{at: c.end, end: c.start, do: doSync, path: path})
		}
	case "ftruncate", "truncate":
		if c.name == "truncate" {
			path = quoted(c.args)[0]
		}
		size, err := strconv.ParseInt(last(c.args), 10, 64)
		r.add(Event{at: c.start, end: c.end, do: doTruncate, path: path, size: size})
		return err
	case "rename", "renameat", "renameat2", "link", "linkat", "unlink", "unlinkat", "rmdir", "mkdir", "mkdirat":
		return r.name(c, path)
	case "copy_file_range", "sendfile":
		return r.copy(c)
	default:
		if r.inside(path) {
			return errors.New("this call is not known")
		}
	}
	return nil
}

func (r *tracer) open(c *call) {
	names := quoted(c.args)
	descriptor, path := described([]byte(c.result))
	if descriptor == "" || len(names) == 0 {
		return
	}
	key := descriptor + path
	flags := string(c.args[bytes.LastIndexByte(c.args, '"')+1:])
	r.offsets[key], r.appends[key] = 0, strings.Contains(flags, "O_APPEND")
	if strings.Contains(flags, "O_CREAT") {
		r.add(Event{at: c.start, end: c.end, do: doCreate, path: path})
	}
	if strings.Contains(flags, "O_TRUNC") {
		r.add(Event{at: c.start, end: c.end, do: doTruncate, path: path})
	}
}

func (r *tracer) write(c *call, descriptor, path string) error {
	open, until := bytes.IndexByte(c.args, '"'), bytes.LastIndexByte(c.args, '"')
	if !r.inside(path) && descriptor != "1" || open < 0 || until <= open {
		return nil
	}
	data, err := unhex(c.args[open+1 : until])
	if err != nil {
		return err
	}
	if done, err := strconv.Atoi(strings.Fields(c.result)[0]); err == nil && done < len(data) {
		data = data[:done]
	}
	e := Event{at: c.start, end: c.end, do: doWrite, path: path, data: data}
	key := descriptor + path
	switch {
	case !r.inside(path):
		e.do = doSay
	case c.name == "pwrite64":
		if e.from, err = strconv.ParseInt(last(c.args), 10, 64); err != nil {
			return err
		}
	case r.appends[key]:
		e.from = -1
	default:
		e.from = r.offsets[key]
		r.offsets[key] += int64(len(data))
	}
	r.add(e)
	return nil
}

// name takes a call that changes names.
func (r *tracer) name(c *call, folder string) error {
	names := quoted(c.args)
	full := func(name string) string {
		if filepath.IsAbs(name) {
			return filepath.Clean(name)
		}
		return filepath.Join(folder, name)
	}
	e := Event{at: c.start, end: c.end, path: full(names[0])}
	switch c.name {
	case "unlink", "unlinkat", "rmdir":
		e.do = doUnlink
	case "mkdir", "mkdirat":
		e.do = doMkdir
	default:
		if e.do = doRename; strings.HasPrefix(c.name, "link") {
			e.do = doLink
		}
		e.to = full(names[1])
		if r.inside(e.path) != r.inside(e.to) || !filepath.IsAbs(names[0]) && !r.inside(e.path) && !r.inside(e.to) {
			return errors.New("a name goes in or out of the folder")
		}
	}
	r.add(e)
	return nil
}

func (r *tracer) copy(c *call) error {
	parts := bytes.Split(c.args, []byte(", "))
	from, to := parts[0], parts[2]
	if c.name == "sendfile" {
		from, to = parts[1], parts[0]
	}
	_, source := described(from)
	_, target := described(to)
	if !r.inside(target) {
		return nil
	}
	n, err := strconv.ParseInt(strings.Fields(c.result)[0], 10, 64)
	if err != nil || n == 0 {
		return err
	}
	e := Event{at: c.start, end: c.end, do: doWrite, path: target, from: r.copied[source+"\x00"+target]}
	r.copied[source+"\x00"+target] += n
	file, err := os.ReadFile(source) // it has not changed since, or the model does not end as the folder does
	if err != nil || int64(len(file)) < e.from+n {
		return errors.Join(err, errors.New("what was copied is not there any more"))
	}
	e.data = file[e.from : e.from+n]
	r.add(e)
	return nil
}

// described reads the descriptor at the beginning of arguments, such as 5<\x2f\x74>.
func described(args []byte) (descriptor, path string) {
	number, rest, is := bytes.Cut(args, []byte("<"))
	until := bytes.IndexByte(rest, '>')
	if !is || until < 0 || bytes.ContainsAny(number, `" ,`) {
		return "", ""
	}
	raw, err := unhex(rest[:until])
	if err != nil {
		raw = rest[:until]
	}
	return string(number), strings.TrimSuffix(string(raw), " (deleted)")
}

// quoted returns the texts among arguments.
func quoted(args []byte) (all []string) {
	for i, part := range bytes.Split(args, []byte(`"`)) {
		if i%2 == 1 {
			raw, _ := unhex(part) // strace writes nothing else
			all = append(all, string(raw))
		}
	}
	return all
}

func unhex(text []byte) ([]byte, error) {
	plain := bytes.ReplaceAll(text, []byte(`\x`), nil)
	out := make([]byte, hex.DecodedLen(len(plain)))
	_, err := hex.Decode(out, plain)
	return out, err
}

// last returns the last of some arguments.
func last(args []byte) string {
	return string(bytes.TrimSpace(args[bytes.LastIndexByte(args, ',')+1:]))
}
