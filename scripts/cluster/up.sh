# shellcheck shell=bash
# Brings a cluster up, all or nothing.
# Sourced, never run.

# Hosts the leader told of, by what they are.
declare -A seen=()
registered=0

up() {
  [ "${#arguments[@]}" -eq 0 ] || fail "up takes options only, not '${arguments[*]}'"
  clock_starts
  need_java
  home_jars
  scheduler_class "$scheduler" >/dev/null
  if [ -f "$dir/cluster" ] || [ -n "$(process_ids)" ]; then
    fail "there is a cluster in $dir already; scripts/storm-cluster status and down speak of it"
  fi
  home_prepare
  if [ -e "$dir" ] && ! rmdir "$dir" 2>/dev/null; then
    fail "$dir is there and is not a cluster's; name another folder, or an empty one"
  fi
  mkdir -p "${dir%/*}"
  # Without -p: of two that come up in one folder one goes on, and nobody takes the other's down.
  mkdir "$dir" || fail "somebody else makes a cluster in $dir at this moment"
  # From here on something is there to be taken down, however this ends.
  trap 'up_failed $?' EXIT
  trap 'exit 130' INT
  trap 'exit 143' TERM
  mkdir "$dir/logs" "$dir/tmp" "$dir/local"
  remember supervisors cores slots nimbuses scheduler
  mapfile -t names < <(supervisor_names)
  cgroup_make "${names[@]}"
  remember cgroup_kind cgroup_cpu cgroup_accounting cgroup_lack
  home_make
  up_daemons
  up_await
  local number
  for ((number = 1; number <= supervisors; number++)); do
    # Only now: at the size of a node a supervisor would take half a minute to start.
    cgroup_limit "supervisor-$number" "$(supervisor_cores "$number")"
  done
  trap - EXIT INT TERM
  up_says
}

up_daemons() {
  local name
  ports_lock
  ports_choose "$(ports_needed)"
  remember first_port last_port
  conf_write
  daemon_start zookeeper
  # Released when the process carries the ports in its environment.
  until [ -n "$(process_ids zookeeper)" ]; do
    up_alive
    sleep 0.05
  done
  ports_unlock
  tell "starting $(daemon_names | wc -l) daemons, ports $first_port to $last_port, in $dir"
  until (: <>"/dev/tcp/127.0.0.1/$(zookeeper_port)") 2>/dev/null; do
    up_alive
    sleep 0.1
  done
  tell "ZooKeeper answers on 127.0.0.1:$(zookeeper_port)"
  for name in $(daemon_names | grep -v zookeeper); do
    daemon_start "$name"
  done
}

# Waits for what the leader says, as long as every daemon lives and there is time.
up_await() {
  local waiting told=0 said="$dir/logs/up.log"
  client_set
  : >"$said"
  # As a process of the cluster: whatever ends this script, down finds it.
  env "BALLAST_CLUSTER_DIR=$dir" BALLAST_DAEMON=up \
    "${client[@]}" io.ballast.storm.cluster.AwaitCluster "$nimbuses" "$supervisors" >"$said" 2>"$dir/logs/up.out" &
  waiting=$!
  # A file and not a pipe: bash 5.2 crashes where a signal's trap ends a script in the middle of read -t.
  while kill -0 "$waiting" 2>/dev/null; do
    up_hears
    up_alive
    sleep 0.2
  done
  up_hears
  wait "$waiting" || up_fails 'the command that waits for the cluster ended' up
}

# Goes through the lines that the waiting command has written since.
up_hears() {
  local line lines
  mapfile -t -s "$told" lines <"$said"
  told=$((told + ${#lines[@]}))
  for line in "${lines[@]}"; do
    up_seen "$line"
  done
}

# Tells what the waiting command saw, and remembers whom it has seen.
up_seen() {
  local kind=${1%% *} host
  host=${1#* }
  host=${host%% *}
  seen[${host%:*}]=$kind
  if [ "$kind" = supervisor ]; then
    registered=$((registered + 1))
    tell "$1 ($registered of $supervisors)"
  else
    tell "$1"
  fi
}

# Ends the coming up if a daemon died or time is up.
up_alive() {
  local name code=0
  for name in $(daemon_names); do
    if [ -n "${started[$name]:-}" ] && ! kill -0 "${started[$name]}" 2>/dev/null; then
      wait "${started[$name]}" || code=$?
      up_fails "$name ended with exit code $code" "$name"
    fi
  done
  if [ $((${EPOCHREALTIME/[.,]/} - began)) -gt $((timeout * 1000000)) ]; then
    local missing
    mapfile -t missing < <(up_missing)
    up_fails "the cluster is not whole after $timeout s (--timeout), waiting for ${missing[*]}" "${missing[0]}"
  fi
}

# Daemons that the waiting command has not told of. Those it has told of may still lack a leader.
up_missing() {
  local number missing=()
  for ((number = 1; number <= nimbuses; number++)); do
    [ -n "${seen[$(nimbus_host "$number")]:-}" ] || missing+=("nimbus-$number")
  done
  for ((number = 1; number <= supervisors; number++)); do
    [ -n "${seen[$(supervisor_host "$number")]:-}" ] || missing+=("supervisor-$number")
  done
  printf '%s\n' "${missing[@]:-nimbus-1}"
}

# Says what failed and shows the logs of the named daemons.
up_fails() {
  local reason=$1 name
  shift
  {
    for name in "$@"; do
      daemon_tail "$name"
    done
    say "storm-cluster: $reason"
  } >&2
  exit 1
}

# In a trap a bare return gives back the status that the script ends with: what this calls says `return 0`.
up_failed() {
  trap - EXIT INT TERM
  say "taking down what had come up" >&2
  # So that bash does not tell of each that is killed.
  disown -a
  take_down
  exit "$1"
}

up_says() {
  tell "up: $nimbuses Nimbus, $supervisors supervisors with $slots slots each," \
    "scheduler $(scheduler_class "$scheduler")"
  if [ "$cgroup_kind" = none ]; then
    say "         UNLIMITED: the nodes have no CPU limit, since $cgroup_lack"
  else
    say "         each node has $cores cores (cgroup $cgroup_kind, $cgroup_cpu)"
  fi
}
