package tills

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/internal/atomicfile"
	"github.com/deskhand/deskhand/internal/filelock"
)

// Host is the data that the host program writes into the shop's folder, for codes and for other programs. It stays
// there when the program ends: the next one must have the same key.
type Host struct {
	Address string   `json:"address"`             // host:port
	Key     string   `json:"key"`                 // SHA-256 of its public key (SPKI), hex
	Tills   []string `json:"connected,omitempty"` // the keys of the connected tills
}

// HostKeyName is the secret of a host: DESKHAND_HOST_KEY, a credential of systemd called host.key, or in the keychain.
const HostKeyName = "host.key"

// KeyName is the secret of a till, its private key. DESKHAND_TILL_KEY contains it if there is no keychain.
const KeyName = "till.key"

// The files of a host in the shop's folder. The system frees the lock when the program ends in any way.
const (
	hostName     = "host.json"
	hostLockName = "host.lock"
)

// Announcement publishes the address of the host for other programs until it ends. It is safe for concurrent use.
type Announcement struct {
	folder string
	lock   *os.File

	mu    sync.Mutex // guards the other fields, and is held while host is written
	host  Host
	ended bool
}

// Address returns the address of the host, as in codes.
func (a *Announcement) Address() string {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.host.Address
}

// Announce publishes the address of the host. It fails if another program is the host of this folder.
func Announce(folder string, h Host) (*Announcement, error) {
	a := &Announcement{folder: folder, host: h}
	var err error
	for range 20 { // a program that checks for a host holds the lock for a moment
		if a.lock, err = filelock.Claim(filepath.Join(folder, hostLockName)); a.lock != nil || err != nil {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	if err != nil {
		return nil, err
	}
	if a.lock == nil {
		return nil, bus.Errorf(bus.PreconditionFailed, bus.ReasonState, "Another program serves this shop to tills already.").
			WithHint("Use that one, or end it first.")
	}
	return a, a.write()
}

// Connected publishes the keys of the connected tills.
func (a *Announcement) Connected(tills []string) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.ended {
		return nil
	}
	slices.Sort(tills)
	a.host.Tills = tills
	return a.write()
}

// write replaces the file atomically, for concurrent readers.
func (a *Announcement) write() error {
	raw, err := json.Marshal(a.host)
	if err != nil {
		return err
	}
	return atomicfile.Write(filepath.Join(a.folder, hostName), raw, 0o600)
}

// End frees the lock: the host does not run any more.
func (a *Announcement) End() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.ended = true
	_ = a.lock.Close()
}

// CheckKey refuses a key other than the one with which the last host of the folder served its tills: they would take
// the host for another computer.
func CheckKey(folder, key string) error {
	last, err := lastHost(folder)
	if err == nil && last.Key != "" && last.Key != key {
		err = bus.Errorf(bus.PreconditionFailed, bus.ReasonState, "The host has another key than at its last start.").
			WithHint("Give it that key again. If it is lost, remove each till (deskhand-host tills remove NAME) and let it " +
				"join again after the start.")
	}
	return err
}

// lastHost reads the file of the last host of a folder; it returns a zero Host if there was none.
func lastHost(folder string) (h Host, err error) {
	raw, err := os.ReadFile(filepath.Join(folder, hostName))
	if errors.Is(err, fs.ErrNotExist) {
		return h, nil
	}
	if err == nil {
		err = json.Unmarshal(raw, &h)
	}
	return h, err
}

// Running returns the host of a folder. A host that ended leaves its file, but not its lock.
func Running(folder string) (h Host, err error) {
	none := bus.Errorf(bus.PreconditionFailed, bus.ReasonState, "This shop serves no tills at the moment.").
		WithHint("Serve other desks first: in the settings under Desks, or with deskhand-host host --listen ADDRESS:PORT")
	lock, err := os.OpenFile(filepath.Join(folder, hostLockName), os.O_RDWR, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return h, none
	}
	if err != nil {
		return h, err
	}
	free, err := filelock.TryShared(lock)
	if err := errors.Join(err, lock.Close()); err != nil {
		return h, err
	}
	if free {
		return h, none
	}
	if h, err = lastHost(folder); err == nil && h.Address == "" {
		err = none
	}
	return h, err
}

// Served reports whether a host has run in a folder.
func Served(folder string) bool {
	_, err := os.Stat(filepath.Join(folder, hostLockName))
	return err == nil
}
