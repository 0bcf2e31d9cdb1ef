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

// bridgePrefix begins the names of the tables with a bridge's internal state.
const bridgePrefix = "agent_"

func isBridgeTable(table string) bool { return strings.HasPrefix(strings.ToLower(table), bridgePrefix) }

// errNotBridge is the error for a statement about another table.
var errNotBridge = errors.New("audit: a note is one INSERT, UPDATE or DELETE of a table agent_…")

// ExecBridge changes rows of a table agent_…, which holds a bridge's internal state, such as the uses of a grant or the
// text of a conversation. The change is part of the transaction and is rolled back with it, but it is no effect: it is
// in no record and no state hash, and an undo does not reverse it. Handlers of the domain do not use it.
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

// Query runs a query in the transaction or snapshot of ctx, as [Txn.QueryContext] does, and calls f with the Scan of
// each row. Package agent and its policy use it, with other databases too: see policy.Database.
func (l *Log) Query(ctx context.Context, f func(scan func(dest ...any) error) error, query string, args ...any) error {
	rows, err := Tx(ctx).QueryContext(ctx, query, args...)
	return each(rows, err, func() error { return f(rows.Scan) })
}

// Exec runs a statement that changes rows in the transaction of ctx: for a table agent_… as [Txn.ExecBridge], for
// others as [Txn.ExecContext].
func (l *Log) Exec(ctx context.Context, query string, args ...any) (err error) {
	if isBridgeStatement(query) {
		_, err = Tx(ctx).execBridge(ctx, query, args)
		return err
	}
	_, err = Tx(ctx).ExecContext(ctx, query, args...)
	return err
}

// isBridgeStatement checks the first words of a statement: the table that it changes must be a bridge's.
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

// UpdateBridge calls run with a transaction in its context for [Txn.ExecBridge], outside any invocation and without a
// record. It returns an error, also after a change of the domain's tables, and rolls everything back. It may call run
// more than once; only the last call counts. Inside a transaction of the same log it joins that one.
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
		return b.rollbackRun(txn)
	}
	if _, err := b.w.session.exec("RELEASE " + savepoint); err != nil {
		return fmt.Errorf("%w: %w", errTransactionLost, err)
	}
	b.wrote = true
	return nil
}
