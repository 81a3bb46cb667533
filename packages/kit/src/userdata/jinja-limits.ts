import { CapstanError } from "@capstan/contract";

/** So much is read within 50 ms. */
const mostTags = 10_000;
const mostCharacters = 300_000;

const opener = /\{[{%]/g;

const tooMuch = (): CapstanError =>
  new CapstanError({
    code: "kit.jinja_too_long",
    reason: "UserDataTooComplex",
    message: `the document has more than ${mostTags} Jinja tags, or more than ${mostCharacters} characters in them; put such files into an image or an archive, or encode their content`,
    retry: { kind: "never" },
  });

/** Budget for reading the rest of a document as Jinja. */
class JinjaBudget {
  #tags = 0;
  #characters = 0;

  pay(text: string): void {
    // What is not closed behind one place is not behind the next.
    const unclosed = new Set<string>();
    for (const { 0: begin, index } of text.matchAll(opener)) {
      const end = unclosed.has(begin) ? -1 : text.indexOf(begin === "{{" ? "}}" : "%}", index + 2);
      if (end < 0) unclosed.add(begin);
      this.#tags += 1;
      this.#characters += Math.max(0, end - index);
      if (this.#tags > mostTags || this.#characters > mostCharacters) throw tooMuch();
    }
  }

  payFor(value: unknown): void {
    if (typeof value === "string") this.pay(value);
    else if (typeof value === "object" && value !== null) for (const item of Object.values(value)) this.payFor(item);
  }
}

/** Throws `kit.jinja_too_long` for a value whose texts take long to be read as Jinja. */
export const checkJinjaSize = (value: unknown): void => new JinjaBudget().payFor(value);
