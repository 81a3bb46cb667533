import { describe, expect, it } from "vitest";
import { strictMachine } from "./strict-machine.ts";

const withJq = async (script: string) => {
  const machine = strictMachine();
  await machine.run("apt-get update && apt-get install -y jq");
  return machine.run(script);
};

describe("jq", () => {
  it.each([
    ["keeps the space around a text", `jq -rn '" a\\n"' | od -An -c | tr -s ' '`, " a \\n \\n\n"],
    ["reads files and options in any order", "echo '{\"a\":[1]}' > /opt/f; jq .a /opt/f -c", "[1]\n"],
    ["sees the environment of its shell", "export X=1; jq -rn 'env.X + $ENV.X'", "11\n"],
    [
      "takes files as variables",
      "echo 1 > /opt/n; jq -nc --slurpfile a /opt/n --rawfile b /opt/n '[$a,$b]'",
      '[[1],"1\\n"]\n',
    ],
    ["joins what it prints", "echo '[\"a\",1]' | jq -j '.[]'", "a1"],
    ["reads its program from a file", "echo .a > /opt/p; echo '{\"a\":2}' | jq -f /opt/p", "2\n"],
  ])("%s", async (_, script, out) => {
    expect(await withJq(script)).toMatchObject({ status: 0, out, err: "" });
  });

  it("says what is wrong with a program", async () => {
    const { err, status } = await withJq("jq -n '.a |'");
    expect(status).toBe(3);
    expect(err).toMatch(/^jq: error: syntax error[\s\S]*\njq: 1 compile error\n$/);
  });

  it("says which file is not there", async () => {
    expect(await withJq("jq . /opt/none")).toMatchObject({
      status: 2,
      err: "jq: /opt/none: No such file or directory\n",
    });
  });

  it("ends a program that has no end", async () => {
    const { err, status } = await withJq("jq -n 'def f: f; f'");
    expect(status).toBe(137);
    expect(err).toMatch(/^jq: .*(?:processor time|too long|ended)/);
  });
});
