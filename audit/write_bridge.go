package audit

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/internal/sqllex"
)

// bridgePrefix begins the names of the tables of a bridge's own bookkeeping.
const bridgePrefix = "agent_"

func isBridgeTable(table string) bool { return strings.HasPrefix(strings.ToLower(table), bridgePrefix) }

// errNotBridge is the error for a statement about another table.
var errNotBridge = errors.New("audit: a note is one INSERT, UPDATE or DELETE of a table agent_…")

// ExecBridge changes rows of a table agent_…: a bridge's own bookkeeping, such as the uses of a grant or the text of a
// conversation. It is part of the transaction and is rolled back with it, but it is no effect: it stands in no record,
// is in no state hash, and is not undone. Handlers of the domain do not use it.
func (t *Txn) ExecBridge(ctx context.Context, query string, args ...any) (sql.Result, error) {
	if !isBridgeStatement(query) {
		return nil, errNotBridge
	}
	return t.execBridge(ctx, query, args)
}

func (t *Txn) execBridge(ctx context.Context, query string, args []any) (sql.Result, error) {
	args, err := driverArgs(args)
	if err != nil {
		return nil, err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if err := t.beginOwn(ctx); err != nil {
		return nil, err
	}
	mark := t.capture.mark()
	t.capture.bridge = true
	res, err := t.session.exec(query, args...)
	t.capture.bridge = false
	if err = t.settle(mark, err); err != nil {
		return nil, err
	}
	return res, nil
}

// Query runs a query in the transaction or snapshot of ctx, as [Txn.QueryContext], and calls f with the Scan of each
// row. Package agent and its policy read by it, also in another database: see policy.Database.
func (l *Log) Query(ctx context.Context, f func(scan func(dest ...any) error) error, query string, args ...any) error {
	rows, err := Tx(ctx).QueryContext(ctx, query, args...)
	return each(rows, err, func() error { return f(rows.Scan) })
}

// Exec runs a statement that changes rows in the transaction of ctx: of a table agent_… as [Txn.ExecBridge], of any
// other as [Txn.ExecContext].
func (l *Log) Exec(ctx context.Context, query string, args ...any) (err error) {
	if isBridgeStatement(query) {
		_, err = Tx(ctx).execBridge(ctx, query, args)
		return err
	}
	_, err = Tx(ctx).ExecContext(ctx, query, args...)
	return err
}

// isBridgeStatement checks the words a statement begins with: the table it changes must be a bridge's own.
func isBridgeStatement(query string) bool {
	if strings.ContainsRune(query, 0) {
		return false
	}
	tokens := sqllex.Tokens(query)
	for i, t := range tokens {
		if t.Is(";") || harmful(tokens, i, "or") != "" {
			return false
		}
	}
	for _, head := range [][]string{{"insert", "into"}, {"update"}, {"delete", "from"}} {
		if n := len(head); sqllex.Follows(tokens, 0, head...) && len(tokens) > n {
			return !tokens[n].Quoted && isBridgeTable(tokens[n].Text)
		}
	}
	return false
}

// UpdateBridge runs run with a transaction in its context for [Txn.ExecBridge], outside of any invocation and without a
// record. An error takes everything back and is returned; so does a change of the domain's tables. run may be called
// more than once; only the last call counts. Inside a transaction of the same log it is a part of that one.
func (l *Log) UpdateBridge(ctx context.Context, run func(ctx context.Context) error) error {
	if t, ok := ctx.Value(txnKey{}).(*Txn); ok && t.checked == &l.checked && t.capture != nil && t.live() {
		return run(ctx)
	}
	return l.writer.submit(&work{kind: workBridge, ctx: ctx, entry: &bus.Entry{},
		run: func(ctx context.Context, _ bus.Exec) error { return run(ctx) }})
}

// finishBridge ends a run of [Log.UpdateBridge].
func (b *batch) finishBridge(k *work, txn *Txn) error {
	k.err = k.runErr
	switch {
	case k.err != nil:
	case txn.capture.err != nil:
		k.err = txn.capture.err
	case len(k.entry.Effects) > 0:
		k.err = fmt.Errorf("%w: what changes the domain is an invocation", errProtected)
	}
	if k.err != nil || !txn.saved {
		return b.undo(txn)
	}
	if _, err := b.w.session.exec("RELEASE " + savepoint); err != nil {
		return fmt.Errorf("%w: %w", errTransactionLost, err)
	}
	b.wrote = true
	return nil
}
