#!/bin/sh
# man_page.sh <program> <file>: writes the man page of the program from its own help and that of each of its commands.
set -eu
program=$1 file=$2
rules=$(dirname "$0")/man_page.awk
version=$("$program" --version)
mkdir -p "$(dirname "$file")"
{
  printf '.TH DELASSUS 1 "" "%s" "User Commands"\n' "$version"
  "$program" --help | awk -v name=delassus -f "$rules"
  "$program" --help | sed -n '/^Subcommands:/,/^$/s/^  \([a-z][a-z-]*\) .*/\1/p' | while read -r command; do
    "$program" "$command" --help | awk -v name="delassus $command" -f "$rules"
  done
} > "$file.part"
mv "$file.part" "$file"
