# shellcheck shell=bash
# Takes a cluster down: processes, cgroups, folder.
# Sourced, never run.

down() {
  [ "${#arguments[@]}" -eq 0 ] || fail "down takes no '${arguments[*]}'"
  clock_starts
  local running
  running=$(process_ids | grep -c .) || true
  cgroup_find
  if [ "$running" -eq 0 ] && [ ! -f "$dir/cluster" ] && ! cgroup_left; then
    fail "there is no cluster in $dir"
  fi
  take_down
  tell "down: $running processes ended, nothing of $dir is left"
}

# What lies in the folder is needed for nothing here: processes and cgroups are found without it.
take_down() {
  end_processes
  cgroup_find
  cgroup_remove
  rm -rf "$dir"
}
