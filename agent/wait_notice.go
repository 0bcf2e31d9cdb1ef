package agent

import (
	"fmt"
	"sync"
	"time"

	"github.com/deskhand/deskhand/agent/internal/text"
)

// waitNotice tells the person after MaxQuiet that the model has not answered yet: a model on this computer that has not
// run lately must first load from the disk, which takes minutes. The returned function stops the notice. Call it when
// the first part of the reply arrives.
func (t *turnRun) waitNotice(messageID string) (stop func()) {
	var mu sync.Mutex // guards over
	over := false
	timer := time.AfterFunc(t.b.o.MaxQuiet, func() {
		mu.Lock()
		defer mu.Unlock()
		if !over {
			name := text.Clean(t.who.Model.Name, 80)
			said := fmt.Sprintf("Still waiting for %s. A model that was not used for a while may take minutes to begin. "+
				"You can stop it at any time.", name)
			if m, is := t.model.(interface{ Thinks() bool }); is && m.Thinks() {
				said = fmt.Sprintf("%s thinks before it answers. You can stop it at any time.", name)
			}
			t.emit(Update{Type: UpdateWaiting, MessageID: messageID, Text: said})
		}
	})
	return func() {
		timer.Stop()
		mu.Lock()
		over = true
		mu.Unlock()
	}
}
