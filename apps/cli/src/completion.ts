import type { Command } from "commander";
import { moduleRoles } from "./modules/module-options.ts";
import { ownNames } from "./modules/module-role.ts";

export const shells = ["bash", "zsh", "fish"] as const;

const flagsOf = (command: Command): readonly string[] =>
  command.options
    .flatMap(({ short, long }) => [short, long].filter((flag) => flag !== undefined && flag !== null))
    .concat("--help");

/** What may follow the command itself: its commands, or what it takes and its flags. */
const wordsOf = (command: Command): string =>
  [
    ...command.commands.map((part) => part.name()),
    ...command.registeredArguments.flatMap((argument) => argument.name().match(/[a-z]+\//g) ?? []),
    ...flagsOf(command),
  ].join(" ");

/** What flags take the names of: ours are suggested behind them, the last of several behind its comma. */
const bashValues = moduleRoles.map((role) => `    ${role.flag}) names="${ownNames(role).join(" ")}" ;;`).join("\n");

/** Every command with the words that lead to it, the longest first. */
const paths = (command: Command, before: readonly string[] = []): readonly (readonly [string, Command])[] =>
  command.commands.flatMap((part) => {
    const path = [...before, part.name()];
    return [...paths(part, path), [path.join(" "), part] as const];
  });

const bash = (root: Command): string => {
  const cases = paths(root)
    .map(([path, command]) => `    "${path}"|"${path} "*) words="${wordsOf(command)}" ;;`)
    .join("\n");
  return `_capstan() {
  local current="\${COMP_WORDS[COMP_CWORD]}" words names="" name
  case "\${COMP_WORDS[COMP_CWORD-1]}" in
${bashValues}
  esac
  if [ -n "$names" ]; then
    local before="\${current%"\${current##*,}"}"
    COMPREPLY=($(compgen -W "$(for name in $names; do echo "$before$name"; done)" -- "$current"))
    COMPREPLY+=($(compgen -P "$before" -f -- "\${current##*,}"))
    return
  fi
  case "\${COMP_WORDS[*]:1:COMP_CWORD-1}" in
${cases}
    *) words="${root.commands.map((command) => command.name()).join(" ")} --help --version" ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  [ \${#COMPREPLY[@]} -eq 0 ] && COMPREPLY=($(compgen -f -- "$current"))
}
complete -F _capstan capstan
`;
};

const fishValues = (long: string | null | undefined): string => {
  const role = moduleRoles.find(({ flag }) => flag === long);
  return role === undefined ? "" : ` -r -a ${quoted(ownNames(role).join(" "))}`;
};

const quoted = (text: string): string => `'${text.replaceAll("'", "\\'")}'`;

const fish = (root: Command): string => {
  const condition = (path: string): string =>
    path === ""
      ? "__fish_use_subcommand"
      : quoted(
          path
            .split(" ")
            .map((word) => `__fish_seen_subcommand_from ${word}`)
            .join("; and "),
        );
  const commands = [["", root] as const, ...paths(root)].flatMap(([path, command]) =>
    command.commands.map(
      (part) => `complete -c capstan -n ${condition(path)} -a ${part.name()} -d ${quoted(part.description())}`,
    ),
  );
  const flags = paths(root).flatMap(([path, command]) =>
    command.options.map(
      ({ long, description }) =>
        `complete -c capstan -n ${condition(path)} -l ${(long ?? "").replace(/^--/, "")}${fishValues(long)} -d ${quoted(description)}`,
    ),
  );
  return [...commands, ...flags].join("\n").concat("\n");
};

/** The completion script of a shell; zsh runs the one of bash. */
export const completionScript = (root: Command, shell: (typeof shells)[number]): string => {
  if (shell === "fish") return fish(root);
  return shell === "zsh" ? `autoload -U +X bashcompinit && bashcompinit\n${bash(root)}` : bash(root);
};
