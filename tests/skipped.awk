# awk -f tests/skipped.awk tests/skipped.txt FOLDER/Testing/Temporary/LastTest.log: a table of the tests that were skipped, why,
# and what to do to run them. GoogleTest gives the reason in the line after the place, our scripts after the word.
FNR == 1 { ++file }
file == 1 {
  if ($0 !~ /^#/ && split($0, row, "\t") == 2) { pattern[++rows] = row[1]; remedy[rows] = row[2] }
  next
}
/: Skipped\r?$/ { getline; note($0) }
/^Skipped: / { sub(/^Skipped: /, ""); note($0) }

function note(reason) {
  sub(/\r$/, "", reason)
  while (match(reason, /"\/[^"]*\/[^"\/]+\/[^"\/]+"/)) {  # of a path the last two names
    path = substr(reason, RSTART + 1, RLENGTH - 2)
    before = substr(reason, 1, RSTART - 1)
    after = substr(reason, RSTART + RLENGTH)
    names = split(path, part, "/")
    reason = before "\"" part[names - 1] "/" part[names] "\"" after
  }
  if (!(reason in count)) order[++reasons] = reason
  ++count[reason]
  ++all
}

END {
  if (!all) { print "\nno test was skipped"; exit }
  for (i = 1; i <= reasons; ++i) {  # by number, those of one number in the order of the log
    for (j = i; j > 1 && count[order[j]] > count[order[j - 1]]; --j) { held = order[j]; order[j] = order[j - 1]; order[j - 1] = held }
  }
  for (i = 1; i <= reasons; ++i) if (length(order[i]) > width) width = length(order[i])
  width = width > 70 ? 70 : width < 3 ? 3 : width
  printf "\n%d %s skipped\n%6s  %-*s  %s\n", all, all == 1 ? "test was" : "tests were", "tests", width, "why", "to run them"
  for (i = 1; i <= reasons; ++i) {
    what = "(no row in tests/skipped.txt)"
    for (k = 1; k <= rows; ++k)
      if (order[i] ~ pattern[k]) { what = remedy[k]; break }
    printf "%6d  %-*s  %s\n", count[order[i]], width, order[i], what
  }
}
