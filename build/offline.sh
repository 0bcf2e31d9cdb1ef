# Sourced by the checks that need the network.

# offline LOG: whether what a command wrote says that the network could not be reached.
offline() {
  grep -qiE 'dial tcp|no such host|i/o timeout|TLS handshake timeout|module lookup disabled|: 5[0-9][0-9] [A-Z]|E(NOTFOUND|CONNREFUSED|CONNRESET|TIMEDOUT|AI_AGAIN)' "$1"
}
# not_checked WHAT WHY: says that WHAT was not checked, and notes it for the table of steps.sh.
not_checked() {
  printf '%s: not checked: offline (%s)\n' "$1" "$2" | tee -a "${NOT_CHECKED:-/dev/null}"
}
