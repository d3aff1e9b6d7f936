# apt.sh: an apt-get of its own in the current directory, for scripts that fetch packages. It finds, checks and fetches them as that of
# the machine does. Nothing is installed, and nobody need be root.
# shellcheck shell=sh

# mirrors TYPE ORIGIN...: those of this machine, which apt-get knows from its lists, as a list of their packages (deb) or sources (deb-src)
mirrors() {
	type=$1
	shift
	for origin; do
		keys=/usr/share/keyrings/$(echo "$origin" | tr '[:upper:]' '[:lower:]')-archive-keyring.gpg
		apt-get indextargets --format "$type [signed-by=$keys] \$(REPO_URI) \$(CODENAME) \$(COMPONENT)" \
			'Created-By: Packages' "Origin: $origin"
	done | sort -u >apt/sources.list
	[ -s apt/sources.list ]
}

# private_apt TYPE ORIGIN...: from here on apt-get is that of this directory; its lists are still to be updated
private_apt() {
	mkdir -p apt/lists/partial apt/archives/partial
	: >apt/status
	# a machine may have no lists yet
	mirrors "$@" || { [ "$(id -u)" = 0 ] && apt-get update -qq && mirrors "$@"; } || {
		echo "${0##*/}: apt-get of this machine knows no mirror of Debian: run apt-get update" >&2
		return 1
	}
	cat >apt/apt.conf <<-END
		APT::Sandbox::User "root";
		Acquire::Languages "none";
		Dir::State "$PWD/apt";
		Dir::State::status "$PWD/apt/status";
		Dir::Cache "$PWD/apt";
		Dir::Etc::sourcelist "$PWD/apt/sources.list";
		Dir::Etc::sourceparts "-";
	END
	export APT_CONFIG="$PWD/apt/apt.conf"
}
