# commands.jq: of a shell script's syntax tree, as shfmt makes it, each command as [words], one a line; a word that only a run knows is null.
# Functions that the script defines are ["function", name]; code for another shell is ["code", text].

def text:
	[.Parts[]? | if .Type == "Lit" or .Type == "SglQuoted" then .Value
		elif .Type == "DblQuoted" then (if all(.Parts[]?; .Type == "Lit") then [.Parts[]?.Value] | add // "" else null end)
		else null end] | if any(. == null) then null else add end;

# What these run is a command of its own: the first word that is no option, setting, number, name or place holder.
def runs_another:
	IN("run", "exec", "env", "command", "xargs", "timeout", "setsid", "nohup", "setpriv", "unshare", "chroot", "taskset",
		"until_true", "ordinary", "private_mounts", "one_of_five");

def called:
	.[0] as $name
	| if $name == null then empty
	elif $name | runs_another then
		["command", $name],
		(.[1:] | until(length == 0 or .[0] == null or (.[0] | test("^(-.*|[A-Za-z_]+=.*|[0-9.]+[smh]?|[A-Z_]+|\\{\\})$") | not); .[1:]) | called)
	elif ($name == "sh" or $name == "bash") and index("-c") then
		["command", $name], (.[index("-c") + 1] | select(.) | ["code", .])
	elif $name == "trap" then .[1] | select(.) | ["code", .]
	else ["command", $name] end;

.. | objects
| if .Type == "CallExpr" and .Args then [.Args[] | text] | called
elif .Type == "FuncDecl" then ["function", .Name.Value]
else empty end
| @json
