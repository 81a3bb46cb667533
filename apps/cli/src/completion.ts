import type { Command } from "commander";

export const shells = ["bash", "zsh", "fish"] as const;

const flagsOf = (command: Command): readonly string[] =>
  command.options
    .flatMap(({ short, long }) => [short, long].filter((flag) => flag !== undefined && flag !== null))
    .concat("--help");

const bash = (root: Command): string => {
  const cases = root.commands
    .map((command) => `    ${command.name()}) words="${flagsOf(command).join(" ")}" ;;`)
    .join("\n");
  return `_capstan() {
  local current="\${COMP_WORDS[COMP_CWORD]}" words
  case "\${COMP_WORDS[1]}" in
${cases}
    *) words="${root.commands.map((command) => command.name()).join(" ")} --help --version" ;;
  esac
  [ "$COMP_CWORD" -eq 1 ] && words="${root.commands.map((command) => command.name()).join(" ")} --help --version"
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  [ \${#COMPREPLY[@]} -eq 0 ] && COMPREPLY=($(compgen -f -- "$current"))
}
complete -F _capstan capstan
`;
};

const fish = (root: Command): string =>
  root.commands
    .flatMap((command) => [
      `complete -c capstan -n __fish_use_subcommand -a ${command.name()} -d '${command.description().replaceAll("'", "\\'")}'`,
      ...command.options.map(
        ({ long, description }) =>
          `complete -c capstan -n '__fish_seen_subcommand_from ${command.name()}' -l ${(long ?? "").replace(/^--/, "")} -d '${description.replaceAll("'", "\\'")}'`,
      ),
    ])
    .join("\n")
    .concat("\n");

/** The completion script of a shell; zsh runs the one of bash. */
export const completionScript = (root: Command, shell: (typeof shells)[number]): string => {
  if (shell === "fish") return fish(root);
  return shell === "zsh" ? `autoload -U +X bashcompinit && bashcompinit\n${bash(root)}` : bash(root);
};
