package agent

import (
	"fmt"
	"sync"
	"time"

	"github.com/deskhand/deskhand/agent/internal/text"
)

// waiting tells the person that the model is still waited for, once nothing has come of it for a while: a model on this
// computer that was not used lately is read from the disk first, which takes minutes. came says that something came;
// after it nothing is told any more.
func (t *turnRun) waiting(messageID string) (came func()) {
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
			t.tell(Update{Type: UpdateWaiting, MessageID: messageID, Text: said})
		}
	})
	return func() {
		timer.Stop()
		mu.Lock()
		over = true
		mu.Unlock()
	}
}
