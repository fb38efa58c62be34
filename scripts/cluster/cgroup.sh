# shellcheck shell=bash
# A CPU cgroup for each supervisor; its workers are born in it. Version 1, where cpu and cpuacct may be hierarchies of
# their own, and version 2. Where none may be made, cgroup_lack says why and the cluster runs unlimited.
# Sourced, never run.

# Length of a period in microseconds: what a group may use in it is its size.
cgroup_period=100000

# Where a controller of version 1 is mounted, nothing if it is not.
v1_mount() {
  awk -v want="$1" '{
    for (dash = 7; $dash != "-"; dash++) {}
    if ($(dash + 1) == "cgroup" && ("," $NF ",") ~ ("," want ",")) { print $5; exit }
  }' /proc/self/mountinfo
}

v2_mount() {
  awk '{
    for (dash = 7; $dash != "-"; dash++) {}
    if ($(dash + 1) == "cgroup2") { print $5; exit }
  }' /proc/self/mountinfo
}

# The cluster's group below a mount point; its name follows from the folder, so that down finds it without being told.
cgroup_name() { printf 'ballast-%s' "$(printf '%s' "$dir" | cksum | cut -d ' ' -f 1)"; }

# Sets cgroup_kind (v1, v2 or none) and the cluster's group in each hierarchy, without making it.
cgroup_find() {
  local cpu accounting
  cpu=$(v1_mount cpu)
  accounting=$(v1_mount cpuacct)
  if [ -n "$cpu" ] && [ -n "$accounting" ]; then
    cgroup_kind=v1
    cgroup_cpu="$cpu/$(cgroup_name)"
    cgroup_accounting="$accounting/$(cgroup_name)"
    return 0
  fi
  cpu=$(v2_mount)
  if [ -n "$cpu" ] && grep -qw cpu "$cpu/cgroup.controllers" 2>/dev/null; then
    cgroup_kind=v2
    cgroup_cpu="$cpu/$(cgroup_name)"
    cgroup_accounting=$cgroup_cpu
    return 0
  fi
  cgroup_none 'the kernel offers no cpu controller here'
}

cgroup_none() { cgroup_kind=none cgroup_cpu='' cgroup_accounting='' cgroup_lack=$1; }

# Makes the cluster's groups and one in them for each argument; unlimited until cgroup_limit.
cgroup_make() {
  cgroup_lack=''
  cgroup_find
  if [ "$cgroup_kind" = none ]; then
    return 0
  fi
  local kind=$cgroup_kind at=$cgroup_cpu
  if ! cgroup_try "$@"; then
    cgroup_remove
    if [ "$kind" = v2 ]; then
      cgroup_none "no right to make $at with the cpu controller (cgroup v2); run as root, not in a container"
    else
      cgroup_none "no right to make $at (cgroup v1); run as root"
    fi
  fi
}

cgroup_try() {
  local name group
  {
    mkdir -p "$cgroup_cpu" "$cgroup_accounting" || return 1
    if [ "$cgroup_kind" = v2 ]; then
      # A child has a controller only where every group above hands it down.
      cgroup_hand_down "${cgroup_cpu%/*}" && cgroup_hand_down "$cgroup_cpu" || return 1
    fi
    for name in "$@"; do
      for group in "$cgroup_cpu/$name" "$cgroup_accounting/$name"; do
        mkdir -p "$group" || return 1
      done
      [ -w "$cgroup_cpu/$name/$(cgroup_limit_file)" ] || return 1
    done
  } 2>/dev/null
}

cgroup_hand_down() { grep -qw cpu "$1/cgroup.subtree_control" || echo +cpu >"$1/cgroup.subtree_control"; }

cgroup_limit_file() {
  if [ "$cgroup_kind" = v2 ]; then
    printf cpu.max
  else
    printf cpu.cfs_quota_us
  fi
}

# Puts the calling process into a daemon's group, if that daemon has one.
cgroup_enter() {
  [ "$cgroup_kind" != none ] && [ -d "$cgroup_cpu/$1" ] || return 0
  local group
  for group in "$cgroup_cpu/$1" "$cgroup_accounting/$1"; do
    echo "$BASHPID" >"$group/cgroup.procs"
  done
}

# Gives a daemon's group its size: NAME CORES.
cgroup_limit() {
  [ "$cgroup_kind" != none ] || return 0
  local quota
  quota=$(awk -v cores="$2" -v period="$cgroup_period" 'BEGIN { printf "%d", cores * period + 0.5 }')
  if [ "$cgroup_kind" = v2 ]; then
    echo "$quota $cgroup_period" >"$cgroup_cpu/$1/cpu.max"
  else
    echo "$cgroup_period" >"$cgroup_cpu/$1/cpu.cfs_period_us"
    echo "$quota" >"$cgroup_cpu/$1/cpu.cfs_quota_us"
  fi
}

# CPU time that a daemon's group has used, in microseconds.
cgroup_used() {
  if [ "$cgroup_kind" = v2 ]; then
    sed -n 's/^usage_usec //p' "$cgroup_accounting/$1/cpu.stat"
  else
    echo $(($(<"$cgroup_accounting/$1/cpuacct.usage") / 1000))
  fi
}

# Whether the cluster has groups.
cgroup_left() { [ "$cgroup_kind" != none ] && [ -d "$cgroup_cpu" ]; }

# Removes the cluster's groups, once their processes have ended.
cgroup_remove() {
  [ "$cgroup_kind" != none ] || return 0
  local top group tries
  for top in "$cgroup_cpu" "$cgroup_accounting"; do
    # The kernel lets go of a group a moment after its last process.
    for ((tries = 0; tries < 50; tries++)); do
      for group in "$top"/*/ "$top"; do
        if [ -d "$group" ]; then
          rmdir "$group" 2>/dev/null || true
        fi
      done
      [ -d "$top" ] || break
      sleep 0.1
    done
    if [ -d "$top" ]; then
      group=$(cat "$top"/cgroup.procs "$top"/*/cgroup.procs 2>/dev/null | tr '\n' ' ')
      say "the cgroup $top could not be removed; it holds the processes ${group:-of nobody}" >&2
    fi
  done
}
