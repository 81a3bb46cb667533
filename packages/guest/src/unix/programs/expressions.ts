import { RE2JS } from "re2js";

/** A basic regular expression in the words of an extended one. */
const extended = (basic: string): string => {
  let result = "";
  for (let at = 0; at < basic.length; at += 1) {
    const character = basic.charAt(at);
    if (character === "[") {
      const first = basic[at + 1] === "^" ? at + 2 : at + 1;
      let end = basic.indexOf("]", first + 1);
      for (let inner = basic.indexOf("[:", first); inner >= 0 && inner < end; inner = basic.indexOf("[:", inner + 1)) {
        end = basic.indexOf("]", basic.indexOf(":]", inner) + 2);
      }
      if (end < 0) return `${result}\\[`;
      result += basic.slice(at, end + 1);
      at = end;
    } else if (character === "\\") {
      const next = basic.charAt(at + 1);
      // At the beginning there is nothing to repeat.
      const isLiteral = "+?".includes(next) && (result === "" || result === "^" || /(?<!\\)[(|]$/.test(result));
      result += "(){}+?|".includes(next) && !isLiteral ? next : `\\${next}`;
      at += 1;
    } else if ("(){}+?|".includes(character)) result += `\\${character}`;
    else if (character === "*" && (result === "" || result === "^")) result += "\\*";
    else result += character;
  }
  return result;
};

/** Compiles a regular expression of `grep` and `sed`. */
export const compile = (
  text: string,
  options: {
    readonly isExtended: boolean;
    readonly ignoresCase?: boolean;
    readonly isFixed?: boolean;
    /** It stands for a whole word or line. */
    readonly around?: "word" | "line";
  },
): RE2JS => {
  const plain = options.isFixed === true ? RE2JS.quote(text) : options.isExtended ? text : extended(text);
  const sign = options.around === undefined ? undefined : options.around === "word" ? ["\\b", "\\b"] : ["^", "$"];
  const expression = sign === undefined ? plain : `${sign[0]}(?:${plain})${sign[1]}`;
  return RE2JS.compile(
    expression.replace(/\\([<>])/g, "\\b"),
    options.ignoresCase === true ? RE2JS.CASE_INSENSITIVE : 0,
  );
};
