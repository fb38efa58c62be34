# shellcheck shell=bash
# The cluster's ports: a run of free ones, found when it comes up. Worker slots are not listened on until a worker runs,
# so a cluster's processes carry the run in their environment, and it stays theirs as long as one of them lives.
# Sourced, never run.

# Ports beside those Storm needs, for --set KEY={free-port}.
spare_ports=5

# Held from the choice of ports until a process carries them, so that two clusters that come up at once do not choose
# alike. The lock is on the system's temporary folder itself: nothing is left behind.
ports_lock() {
  exec {lock}<"${TMPDIR:-/tmp}"
  flock "$lock"
}

ports_unlock() {
  exec {lock}<&-
  unset lock
}

# Sets first_port and last_port of a run of so many.
ports_choose() {
  local size=$1 lowest tries
  # Below what the kernel gives to outgoing connections, which could take a port before its owner does.
  lowest=$(cut -f 1 /proc/sys/net/ipv4/ip_local_port_range)
  local from=$((lowest > 22000 ? lowest - 12000 : 20000))
  local -A taken=()
  ports_taken
  for ((tries = 0; tries < 200; tries++)); do
    first_port=$((from + RANDOM % (12000 - size)))
    last_port=$((first_port + size - 1))
    if ports_free; then
      return 0
    fi
  done
  fail "no $size free ports in a row between $from and $((from + 12000))"
}

ports_free() {
  local port
  for ((port = first_port; port <= last_port; port++)); do
    [ -z "${taken[$port]:-}" ] || return 1
  done
}

# Ports in any state of TCP, and the runs of other clusters.
ports_taken() {
  local hex range port
  while read -r hex; do
    taken[$((16#$hex))]=1
  done < <(awk 'FNR > 1 { sub(/.*:/, "", $2); print $2 }' /proc/net/tcp /proc/net/tcp6 2>/dev/null)
  while read -r range; do
    for ((port = ${range%-*}; port <= ${range#*-}; port++)); do
      taken[$port]=1
    done
  done < <(grep -hzoE '^BALLAST_CLUSTER_PORTS=[0-9]+-[0-9]+$' /proc/[0-9]*/environ 2>/dev/null | tr '\0' '\n' |
    sed 's/.*=//' | sort -u)
}
