import { type Builtin, complain } from "./builtin.ts";
import { unescaped } from "./escapes.ts";
import { formatted } from "./format.ts";
import { setValue } from "./parameters.ts";
import { inSingleQuotes } from "./quoting.ts";

export const printf: Builtin = (context) => {
  const { args, session, streams } = context;
  const isNamed = args[0] === "-v" && session.dialect === "bash";
  const [format, ...values] = args.slice(isNamed ? 2 : args[0] === "--" ? 1 : 0);
  if (format === undefined) return complain(context, "printf: usage: printf [-v var] format [arguments]", 2);
  let status = 0;
  const wrong = (text: string): void => {
    const said = session.dialect === "bash" ? "invalid number" : "expected numeric value";
    status = complain(context, `printf: ${text}: ${said}`);
  };
  const text = formatted(unescaped(format.replaceAll("\\%", "%")), values, { wrong });
  if (isNamed) setValue(args[1] ?? "", undefined, text, session);
  else streams.out(text);
  return status;
};

/** A text between quotes as `declare -p` prints it. */
export const shownValue = (text: string): string => (/[\n\t]/.test(text) ? inSingleQuotes(text) : JSON.stringify(text));
