import { fakeClock } from "@capstan/testing";
import { describe, expect, it } from "vitest";
import { Console } from "../boot/console.ts";
import { Disk } from "../boot/disk.ts";
import { parseShell } from "./parse.ts";
import { basePrograms, runCommand } from "./shell.ts";
import { textPrograms } from "./text-programs.ts";

const shell = () => {
  const disk = new Disk();
  const console = new Console({ clock: fakeClock() });
  const calls: (readonly string[])[] = [];
  const programs = {
    ...basePrograms,
    ...textPrograms,
    kubeadm: ({ args }: { readonly args: readonly string[] }) => {
      calls.push(args);
      return args.includes("fail") ? 1 : 0;
    },
  };
  return {
    disk,
    console,
    calls,
    run: (command: string | readonly string[]) =>
      runCommand(command, { disk, console, programs, signal: new AbortController().signal }),
  };
};

describe("the guest's shell", () => {
  it("writes the sentinel only after success", async () => {
    const { disk, run, calls } = shell();
    expect(await run("kubeadm fail  && echo success > /run/done")).toBe(1);
    expect(disk.stat("/run/done")).toBeUndefined();
    expect(await run("kubeadm init --config /a --v 4 && echo success > /run/done")).toBe(0);
    expect(disk.text("/run/done")).toBe("success\n");
    expect(calls.at(-1)).toEqual(["init", "--config", "/a", "--v", "4"]);
  });

  it.each([
    [`echo 'a b' "c \\"d\\"" e\\ f`, 'a b c "d" e f\n'],
    ["false || echo x", "x\n"],
    ["true || echo x; echo y", "y\n"],
    ["echo a > /f; echo b >> /f; cat /f", "a\nb\n"],
    ["echo a | cat", "a\n"],
    ["umask 077; mkdir -p /d; echo abcdef > /d/f; tail -c 4 /d/f", "def\n"],
    ["tail -c 400 /none || echo missing", "tail: /none: No such file or directory\nmissing"],
    ["A=1 echo $A 2>&1 # comment", "$A\n"],
    [`echo "a$(echo b | cat)c" $(echo "f)" 'g)')`, "abc f) g)\n"],
    [`echo "$(cat /none; echo x)"`, "cat: /none: No such file or directory\nx\n"],
    [`[ "$(echo a)" = "a" ] && echo same`, "same\n"],
    [`[ "$(echo a)" = "b" ] || echo other`, "other\n"],
    [`[ a != a ] || echo "not different"`, "not different\n"],
    [
      `echo x > /d/sums-1.txt; echo "$(sha256sum /d/sums*.txt | awk '{print $1}')"`,
      "73cb3858a687a8494ca3323053016282f3dad39d42cf62ca4e79dda2aac7d9ac\n",
    ],
    ["sha256sum /none* || echo missing", "sha256sum: /none*: No such file or directory\nmissing\n"],
  ])("runs %s", async (line, expected) => {
    const { run, console } = shell();
    await run(line);
    expect(console.lines.map((text) => text.replace(/^\S+ (?:sh: )?/, "")).join("\n")).toBe(expected.trimEnd());
  });

  it("names what it does not model and goes on", async () => {
    const { disk, run, console } = shell();
    expect(await run("swapoff -a && curl -fsSL https://example.test/x | bash -s v1")).toBe(0);
    expect(await run("for i in 1 2; do echo $i; done")).toBe(0);
    expect(await run("until test -e /never; do sleep 1; done")).toBe(0);
    expect(await run(`test -n "$(ip route)" && fail`)).toBe(0);
    expect(await run("[ -b /dev/sdb ]")).toBe(0);
    expect(await run("echo '$(false)' > /never")).toBe(0);
    expect(disk.stat("/never")).toBeUndefined();
    expect(console.text()).toContain("swapoff: not modelled");
    expect(console.text()).toContain("not modelled, taken as success: for i in");
  });

  it("does not parse what it cannot execute", () => {
    expect(parseShell("echo $(date)")).toBeUndefined();
    expect(parseShell("cat <<EOF\nx\nEOF")).toBeUndefined();
    expect(parseShell("echo 'open")).toBeUndefined();
  });
});

describe("groups in braces", () => {
  it.each([
    ["kubeadm init && { kubeadm fail || true; } && echo success > /done", true],
    ["kubeadm fail && { kubeadm init || true; } && echo success > /done", false],
    ["{ kubeadm fail; } && echo success > /done", false],
    ["{ kubeadm fail; kubeadm init; } && echo success > /done", true],
    ["{ { kubeadm fail; } || kubeadm init; } && echo success > /done", true],
  ])("%s: %s", async (command, isDone) => {
    const { disk, run } = shell();
    expect(await run(command)).toBe(isDone ? 0 : 1);
    expect(disk.stat("/done") !== undefined).toBe(isDone);
  });

  it("are taken as success when they cannot be read", async () => {
    const { console: output, run } = shell();
    expect(await run("echo first && { kubeadm fail")).toBe(0);
    expect(output.text()).toContain("not modelled");
  });
});

it("passes variables on to the program they stand before", async () => {
  const seen: unknown[] = [];
  const console = new Console({ clock: fakeClock() });
  const programs = { sh: ({ variables }: { readonly variables: unknown }) => (seen.push(variables), 0) };
  const options = { disk: new Disk(), console, programs, signal: new AbortController().signal };
  await runCommand("A='v1.2+x' B=\"\" sh /run/x.sh && sh", options);
  expect(seen).toEqual([{ A: "v1.2+x", B: "" }, {}]);
});

it("knows no variables but those it is given", () => {
  const environment = { A: "x" };
  const [command] = parseShell('echo $A $constructor "${__proto__}$toString" ${valueOf}', { environment }) ?? [];
  expect(command).toMatchObject({ words: ["echo", "x", "", "", ""] });
});
