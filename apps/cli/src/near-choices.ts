import { type Argument, type Command, InvalidArgumentError, type Option } from "commander";
import { anyOf, nearWords } from "./near-words.ts";

const refuse = (word: string, choices: readonly string[]): never => {
  const near = nearWords(word, choices);
  throw new InvalidArgumentError(
    `Allowed choices are ${choices.join(", ")}.${near.length === 0 ? "" : ` Did you mean ${anyOf(near)}?`}`,
  );
};

const watch = (part: Argument | Option): void => {
  const { argChoices, parseArg } = part;
  if (argChoices === undefined) return;
  part.argParser((word: string, before: unknown) => {
    if (!argChoices.includes(word)) refuse(word, argChoices);
    return parseArg === undefined ? word : parseArg(word, before);
  });
};

/** Lets a command and those below it name the value that was meant, where one of their flags or arguments has another than its choices. */
export const withNearChoices = (command: Command): void => {
  for (const part of [...command.options, ...command.registeredArguments]) watch(part);
  for (const each of command.commands) withNearChoices(each);
};
