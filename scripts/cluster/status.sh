# shellcheck shell=bash
# What a cluster is doing: what its leader says, its processes, its cgroups.
# Sourced, never run.

status() {
  recall
  local -A before=()
  local name said micros=${EPOCHREALTIME/[.,]/} processes
  if [ "$cgroup_kind" != none ]; then
    for name in $(supervisor_names); do
      before[$name]=$(cgroup_used "$name")
    done
  fi
  client_set
  # Asking the leader takes about a second, over which the groups' use is measured.
  said=$("${client[@]}" io.ballast.storm.cluster.ShowCluster 2>"$dir/logs/status.out") || said=''
  processes=$(list_processes)
  status_daemons
  say ''
  status_supervisors
  say ''
  status_topologies
  if [ -z "$said" ]; then
    say ''
    say "No leader answers: $(tail -n 1 "$dir/logs/status.out")"
    return 1
  fi
}

# A field of the leader's records of a kind, where another field has a value: KIND FIELD VALUE WANTED.
said_of() { awk -F '\t' -v kind="$1" -v f="$2" -v v="$3" -v w="$4" '$1 == kind && $f == v { print $w }' <<<"$said"; }

pid_of() { awk -v name="$1" '$2 == name && $3 == "daemon" { print $1 }' <<<"$processes"; }

status_daemons() {
  local number host pid role
  printf '%-14s %-9s %-21s %s\n' daemon process address state
  pid=$(pid_of zookeeper)
  printf '%-14s %-9s %-21s %s\n' zookeeper "${pid:--}" "127.0.0.1:$(zookeeper_port)" "$(alive "$pid")"
  for ((number = 1; number <= nimbuses; number++)); do
    host=$(nimbus_host "$number")
    pid=$(pid_of "nimbus-$number")
    role=$(said_of nimbus 2 "$host" 4)
    if [ -z "$pid" ] || [ -z "$role" ]; then
      role=$(alive "$pid")
    fi
    printf '%-14s %-9s %-21s %s\n' "nimbus-$number" "${pid:--}" "$host:$(nimbus_port)" "$role"
  done
}

alive() {
  if [ -n "$1" ]; then
    printf running
  else
    printf dead
  fi
}

status_supervisors() {
  local number name host pid slots_used size use registered
  printf '%-14s %-9s %-12s %-8s %-10s %-10s %s\n' supervisor process host slots 'cgroup' 'in use' state
  for ((number = 1; number <= supervisors; number++)); do
    name="supervisor-$number"
    host=$(supervisor_host "$number")
    pid=$(pid_of "$name")
    registered=$(said_of supervisor 2 "$host" 3)
    slots_used=$(said_of supervisor 2 "$host" 5)
    size=unlimited use=-
    if [ "$cgroup_kind" != none ]; then
      size="$(supervisor_cores "$number") cores"
      use=$(cores_used "$name")
    fi
    printf '%-14s %-9s %-12s %-8s %-10s %-10s %s\n' "$name" "${pid:--}" "$host" "${slots_used:--} of $slots" "$size" \
      "$use" "$(alive "$pid")${registered:+, $registered}"
  done
  if [ "$cgroup_kind" = none ]; then
    say "No CPU limits: $cgroup_lack"
  fi
}

# Cores a group used since the first look.
cores_used() {
  awk -v now="$(cgroup_used "$1")" -v then="${before[$1]}" -v micros=$((${EPOCHREALTIME/[.,]/} - micros)) \
    'BEGIN { printf "%.2f", (now - then) / micros }'
}

status_topologies() {
  local name id state workers executors scheduled
  if ! grep -q '^topology' <<<"$said"; then
    say 'no topologies'
  fi
  while IFS=$'\t' read -r _ name id state workers executors scheduled; do
    say "topology $name ($id): $state, $workers workers, $executors executors"
    if [ -n "$scheduled" ]; then
      say "  $scheduled"
    fi
    awk -v id="$id" '$3 == "worker" && $4 == id { printf "  worker on %s, port %s: process %s\n", $2, $5, $1 }' \
      <<<"$processes"
  done < <(grep '^topology' <<<"$said" || true)
}
