# shellcheck shell=bash
# Finds and follows the logs of daemons and workers.
# Sourced, never run.

logs() {
  recall
  local follow=() wanted=() files=() word
  for word in "$@"; do
    case $word in
      -f) follow=(-F) ;;
      -*) fail "logs takes -f, not '$word'" ;;
      *) wanted+=("$word") ;;
    esac
  done
  if [ "${#wanted[@]}" -eq 0 ] && [ "${#follow[@]}" -eq 0 ]; then
    find "$dir/logs" -type f -size +0 ! -name worker.yaml ! -name worker.pid | sort -V
    return 0
  fi
  if [ "${#wanted[@]}" -eq 0 ]; then
    mapfile -t wanted < <(daemon_names)
  fi
  for word in "${wanted[@]}"; do
    mapfile -t -O "${#files[@]}" files < <(log_files "$word")
  done
  [ "${#files[@]}" -gt 0 ] || fail "no log of ${wanted[*]}; scripts/storm-cluster logs lists what there is"
  tail -n 40 "${follow[@]}" "${files[@]}"
}

# Logs of a daemon, of a topology (by name or id) or of one of its workers (TOPOLOGY:PORT).
log_files() {
  local topology=${1%%:*} port='*'
  if [[ $1 == *:* ]]; then
    port=${1#*:}
  fi
  if is_daemon "$1"; then
    find "$dir/logs" -maxdepth 1 -name "$1.*" -size +0
  else
    find "$dir/logs/workers-artifacts" -regextype posix-extended -type f -size +0 \
      -path "*/$port/worker.log*" -regex ".*/$topology(-[0-9]+-[0-9]+)?/[0-9]+/worker\\.log(\\.err)?" 2>/dev/null
  fi | sort -V
}
