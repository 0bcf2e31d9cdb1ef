// Package pgtest gives tests a PostgreSQL of their own.
package pgtest

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// cluster is the address of the PostgreSQL that Run started; "" where there is none.
var cluster string

// Run runs the tests with a cluster of their own, on a socket in a temporary folder. As root it belongs to the user
// postgres, since PostgreSQL refuses to run as root.
func Run(m *testing.M) int {
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin")
	_, unknown := user.Lookup("postgres")
	if len(found) == 0 || os.Geteuid() == 0 && unknown != nil {
		return m.Run()
	}
	dir, err := os.MkdirTemp("", "pgjournal")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	command := func(name string, args ...string) {
		args = append([]string{filepath.Join(found[len(found)-1], name)}, args...)
		if os.Geteuid() == 0 {
			args = append([]string{"runuser", "-u", "postgres", "--"}, args...)
		}
		c := exec.Command(args[0], args[1:]...)
		c.Dir = dir
		if out, err := c.CombinedOutput(); err != nil {
			panic(fmt.Sprintf("%v: %v\n%s", args, err, out))
		}
	}
	if os.Geteuid() == 0 {
		if out, err := exec.Command("chown", "postgres", dir).CombinedOutput(); err != nil {
			panic(string(out))
		}
	}
	data := filepath.Join(dir, "data")
	command("initdb", "-D", data, "-U", "postgres", "-A", "trust", "--no-sync", "-E", "UTF8", "--locale=C")
	command("pg_ctl", "-D", data, "-w", "-l", filepath.Join(dir, "log"), "-o",
		fmt.Sprintf("-k %s -c listen_addresses= -c max_connections=200 -c fsync=off", dir), "start")
	defer command("pg_ctl", "-D", data, "-w", "-m", "immediate", "stop")
	cluster = fmt.Sprintf("host=%s user=postgres dbname=", dir)
	return m.Run()
}

var databases atomic.Int32

// Database makes an empty database, and returns how to reach it. Without PostgreSQL the test is skipped.
func Database(t testing.TB) *pgxpool.Config {
	t.Helper()
	if cluster == "" {
		t.Skip("not checked: PostgreSQL")
	}
	ctx, name := context.Background(), fmt.Sprintf("d%d", databases.Add(1))
	c, err := pgx.Connect(ctx, cluster+"postgres")
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close(ctx)
	if _, err := c.Exec(ctx, "CREATE DATABASE "+name); err != nil {
		t.Fatal(err)
	}
	config, err := pgxpool.ParseConfig(cluster + name)
	if err != nil {
		t.Fatal(err)
	}
	return config
}
