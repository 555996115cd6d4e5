# From what `--help` prints to a part of a man page: `name` is the command that was asked.
function roff(text) {
  gsub(/\\/, "\\e", text)
  gsub(/-/, "\\-", text)
  if (text ~ /^['.]/) text = "\\&" text
  return text
}
NR == 1 {
  if (name ~ / /) printf ".SH \"%s\"\n%s\n", toupper(name), roff($0)
  else { sub(/^[A-Za-z]*: /, ""); sub(/\.$/, ""); printf ".SH NAME\n%s \\- %s\n.SH SYNOPSIS\n", name, roff($0) }
  next
}
/^Usage: / { printf ".PP\n.B %s\n", roff(substr($0, 8)); next }
/^[A-Z][A-Za-z ]*:$/ { printf ".%s \"%s\"\n", name ~ / / ? "SS" : "SH", name ~ / / ? substr($0, 1, length($0) - 1) : toupper(substr($0, 1, length($0) - 1)); next }
/^$/ { next }
# An option or a command and its meaning, in two columns.
/^  [^ ].*[^ ]  +[^ ]/ && !/^  delassus / {
  match(substr($0, 3), /  +/)
  printf ".TP\n.B %s\n%s\n", roff(substr($0, 3, RSTART - 1)), roff(substr($0, 3 + RSTART - 1 + RLENGTH))
  next
}
# An example, or a name whose meaning stands in the next lines.
/^  [^ ]/ { printf ".PP\n.EX\n%s\n.EE\n", roff($0); next }
/^ / { sub(/^ +/, ""); print roff($0); next }
{ printf ".PP\n%s\n", roff($0) }
