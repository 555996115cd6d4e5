# Sourced by tools/test behind tools/prepare.sh: builds the fuzz targets and runs them.

# What one input may take, in s and MB; seeds take milliseconds. The time is that of the clock, so it leaves room for a busy machine.
fuzz_limits=(-timeout=20 -rss_limit_mb=2048)
# Of a target: then it ends, because what is found again and again hides the rest.
most_findings=5

# fuzz_one <build folder> <target> <seconds>: a line `target executions edges FMI-calls findings`.
fuzz_one() {
  local build=$1 name=$2 end program corpus log part executions=0 edges=0 calls=0 findings=0 number
  program=$build/tests/fuzz/fuzz_$name corpus=$build/corpus/$name log=$build/logs/$name.txt part=$build/logs/$name.part
  mkdir -p "$corpus" "$build/seeds" "$build/logs" "$build/findings"
  : > "$log"
  rm -rf "$build/seeds/$name"
  "$program" --write-seeds="$build/seeds/$name" >> "$log" 2>&1 || { echo "$name 0 0 0 1"; return; }
  end=$((SECONDS + $3))
  while [ $SECONDS -lt $end ] && [ $findings -lt $most_findings ]; do
    local result=0
    UBSAN_OPTIONS=print_stacktrace=1 "$program" "${fuzz_limits[@]}" -max_total_time=$((end - SECONDS)) -print_final_stats=1 \
      -artifact_prefix="$build/findings/$name-" "$corpus" "$build/seeds/$name" "tests/fuzz/corpus/$name" > "$part" 2>&1 || result=$?
    number=$(sed -n 's/^stat::number_of_executed_units: *//p' "$part" | tail -1); executions=$((executions + ${number:-0}))
    number=$(sed -n 's/^FMI calls: *//p' "$part" | tail -1); calls=$((calls + ${number:-0}))
    number=$(grep -o ' cov: [0-9]*' "$part" | grep -o '[0-9]*' | sort -n | tail -1)
    [ "${number:-0}" -le "$edges" ] || edges=$number
    cat "$part" >> "$log"
    [ $result -ne 0 ] || break
    findings=$((findings + 1))
  done
  rm -f "$part"
  echo "$name $executions $edges $calls $findings"
}

# fuzz <seconds> [target...]: all of them, or these; 1 where something is found.
fuzz() {
  local seconds=$1 build=build-fuzz names name workers share begin tenth done=0 line all=0 found=0
  shift
  cmake --preset fuzz >/dev/null
  mapfile -t names < <(sed -n 's/^delassus_fuzz_target(\([a-z0-9_]*\) .*/\1/p' tests/fuzz/CMakeLists.txt)
  if [ $# -gt 0 ]; then
    for name in "$@"; do
      [[ " ${names[*]} " == *" $name "* ]] || { echo "there is no target $name; there are ${names[*]}" >&2; return 2; }
    done
    names=("$@")
  fi
  echo "Building in $build/"
  build_with_progress "$build" --target "${names[@]/#/fuzz_}"

  workers=$(nproc)
  [ "$workers" -le ${#names[@]} ] || workers=${#names[@]}
  share=$((seconds / ((${#names[@]} + workers - 1) / workers)))
  [ "$share" -gt 0 ] || share=1
  echo "Fuzzing ${#names[@]} targets, $(duration $share) each, $workers at a time"
  rm -f "$build/results"
  mkdir -p "$build/findings"
  touch "$build/began"
  begin=$SECONDS tenth=0
  export -f fuzz_one
  export most_findings
  while IFS= read -r line; do
    echo "$line" >> "$build/results"
    done=$((done + 1))
    report_progress fuzzed "$done" ${#names[@]}
  done < <(printf '%s\0' "${names[@]}" | xargs -0 -P "$workers" -I{} bash -c \
    'read -ra fuzz_limits <<< "$4"; fuzz_one "$1" "$2" "$3"' fuzz "$build" {} "$share" "${fuzz_limits[*]}")

  sort "$build/results" | awk 'BEGIN { printf "%-16s %14s %9s %12s %9s\n", "target", "executions", "edges", "FMI calls", "findings" }
    { printf "%-16s %14d %9d %12s %9d\n", $1, $2, $3, $4 ? $4 : "", $5; executions += $2; calls += $4; findings += $5 }
    END { printf "%-16s %14d %9s %12d %9d\n", "all", executions, "", calls, findings }'
  all=$(wc -l < "$build/results")
  found=$(awk '{ sum += $5 } END { print sum + 0 }' "$build/results")
  [ "$all" -eq ${#names[@]} ] || { echo "$all of ${#names[@]} targets ended as they should" >&2; return 1; }
  [ "$found" -gt 0 ] || return 0
  echo
  grep -hE '^SUMMARY|^does not hold|what\(\):|ERROR: libFuzzer' "$build"/logs/*.txt | sort | uniq -c | sort -rn
  echo "Each input below runs again with its target, as $build/tests/fuzz/fuzz_csv FILE; the logs are in $build/logs/"
  find "$build/findings" -type f -newer "$build/began" ! -name '*-slow-unit-*' | sort
  return 1
}
