# symbols.awk: version scripts of the libraries as a list of symbols for dpkg-gensymbols. A node gives the release of its calls.
# Usage: awk -v package=NAME -v library=SONAME -f symbols.awk FILE.map
BEGIN { print library " " package " #MINVER#\n* Build-Depends-Package: libmsprof-dev" }
/^[A-Z][A-Z0-9_.]* \{/ {
	node = $1
	since = node
	sub(/^MSPROF_/, "", since)
	if (since !~ /^[0-9]/)
		since = 0
	else if (since !~ /\..*\./)
		since = since ".0"
	print " " node "@" node " " since
}
/^\t\t[a-z_A-Z0-9]+;/ { gsub(/[\t;]/, ""); print " " $0 "@" node " " since }
/^\t\t[a-z_]+\*;/ { print " (symver|optional)" node " " since }
