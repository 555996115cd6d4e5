# Our comments are plain `//`; this shows them to Doxygen as the documentation of what stands below them, or before them in their line.
# What Doxygen would take for its own signs is escaped; `words in backticks` are code, and so are lines that are set in.
function shown(text,    result) {
  gsub(/[\\@#<>&%$]/, "\\\\&", text)
  gsub(/::/, "\\::", text)
  while (match(text, /`[^`]*`/)) {
    result = result substr(text, 1, RSTART - 1) "<code>" substr(text, RSTART + 1, RLENGTH - 2) "</code>"
    text = substr(text, RSTART + RLENGTH)
  }
  return result text
}
NR == 1 && /^\/\// { print "/// \\file" }
/^ *\/\// {
  place = index($0, "//")
  text = shown(substr($0, place + 2))
  set_in = text ~ /^   +[^ ]/
  if (set_in) text = (set_in_before ? " " : " <br>") "<tt>" text "</tt><br>"
  set_in_before = set_in
  print substr($0, 1, place - 1) "///" text
  next
}
/^ *[}] *\/\/ namespace/ || /^ *#/ || /"[^"]*\/\// { print; next }
/[;,] +\/\/ / {
  place = index($0, "// ")
  print substr($0, 1, place - 1) "///<" shown(substr($0, place + 2))
  next
}
{ print }
