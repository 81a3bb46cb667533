import { expect, it } from "vitest";
import { withFinalNewline } from "../bootstrap/file-entry.ts";
import { redact } from "../report/redact.ts";
import { yamlText } from "./yaml-text.ts";

// Each of these takes minutes where a pattern begins again at every character.
it.each(["\n", "1", "_", ".", " ", "\n ", "1:", "a\n", "-", "\t\n"])(
  "a long text of %j is written in a moment",
  (part) => {
    const text = `${part.repeat(400_000)}x`;
    for (const jinja of [false, true]) expect(yamlText({ text }, { jinja }).length).toBeGreaterThan(400_000);
    expect(withFinalNewline({ path: "/a", content: `${text}\n\n` }).content).toBe(`${text}\n`);
  },
);

it.each(["-", "a-", "eyJ-", "http://", "token", "bearer ", "sig=", "--a", "K10a"])(
  "a long log of %j is redacted in a moment",
  (part) => expect(redact(part.repeat(60_000 / part.length)).length).toBeGreaterThan(0),
);
