import type { Reader } from "./reader.ts";
import type { Redirect, Word } from "./syntax.ts";

/** A redirection that begins here, with the words of its here-document to come. */
export const readRedirect = (reader: Reader): Redirect | undefined => {
  const [found, digits = ""] = /^(\d?)(?:&>>?|>>|>\||>&|<<<|<<-?|<&|<>|>(?!\()|<(?!\())/.exec(reader.peek(5)) ?? [];
  if (found === undefined) return undefined;
  const sign = found.slice(digits.length);
  reader.at += found.length;
  reader.skipBlanks();
  const target = reader.word();
  if (target === undefined) throw reader.unexpected();
  const descriptor = digits === "" ? (sign.startsWith("<") ? 0 : 1) : Number(digits);
  if (sign !== "<<" && sign !== "<<-") {
    const operator = sign === ">|" ? ">" : (sign as Redirect["operator"]);
    return { descriptor, operator, target };
  }
  const end = target.map((part) => (part.kind === "text" ? part.text : "")).join("");
  const redirect: { descriptor: number; operator: "<<"; target: Word } = { descriptor, operator: "<<", target: [] };
  reader.expectDocument({
    end,
    isStripped: sign === "<<-",
    isLiteral: target.some(({ quoted }) => quoted),
    fill: (word) => void (redirect.target = word),
  });
  return redirect;
};
