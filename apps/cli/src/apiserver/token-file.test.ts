import { describe, expect, it } from "vitest";
import { parseTokenFile } from "./token-file.ts";

const complain = (line: number, words: string): never => {
  throw new Error(`line ${line}: ${words}`);
};

describe("token files", () => {
  it("give each token its user", () => {
    const text = '# who may\nt1,alice,1,"dev,system:masters"\r\n\nt2,bob,\nt3,"carol ""c""", 3 , ops\n';
    expect(parseTokenFile(text, complain)).toEqual({
      t1: { name: "alice", uid: "1", groups: ["dev", "system:masters"] },
      t2: { name: "bob", groups: [] },
      t3: { name: 'carol "c"', uid: "3", groups: ["ops"] },
    });
  });

  it.each([
    ["t1,alice,1\nt2,bob", "line 2: has 2 columns"],
    ['t1,alice,1,"dev', "line 1: a quote is not closed"],
    [",alice,1", "line 1: has no token"],
    ["t1,,1", "line 1: has no user"],
    ["t1,a,1\nt1,b,2", "line 2: repeats the token of an earlier line"],
  ])("%j is refused", (text, message) => expect(() => parseTokenFile(text, complain)).toThrow(message));
});
