import { describe, expect, it } from "vitest";
import { strictMachine } from "./strict-machine.ts";

it("prints no field that is wider than what a command may print", async () => {
  const { err } = await strictMachine().run("printf '%600000000s' x; echo after");
  expect(err).toBe("a field of printf has more than 1048576 characters, which the model does not print\n");
});

describe("the shell of a machine", () => {
  it.each([
    ["echo one two", "one two\n"],
    ["X=5; echo \"$X\" '$X' ${X}y ${Y:-none} ${#X}", "5 $X 5y none 1\n"],
    ["VERSION=v1.34.2; P=${VERSION#[v]}; echo $P ${P%.*} ${VERSION%%.*} ${VERSION/v/}", "1.34.2 1.34 v1 1.34.2\n"],
    ["A=(a b); A+=(c); echo ${A[*]} ${#A[@]} ${A[1]}", "a b c 3 b\n"],
    ["for x in a b c; do if [ $x = b ]; then continue; fi; echo -n $x; done; echo", "ac\n"],
    ["i=0; while [ $i -lt 3 ]; do i=$((i + 1)); done; echo $i", "3\n"],
    ["case v1.34.0 in v1.3[0-9].*) echo yes;; *) echo no;; esac", "yes\n"],
    ['f() { echo "$1-$#"; return 3; }; f a b; echo $?', "a-2\n3\n"],
    ["cat << EOF\na $(echo b) \\$c\nEOF", "a b $c\n"],
    ["cat <<-'EOF'\n\ta $b\n\tEOF", "a $b\n"],
    ["echo {a,b}.tar file{1..3}", "a.tar b.tar file1 file2 file3\n"],
    ["echo 'a b c' | cut -d' ' -f2 | tr a-z A-Z", "B\n"],
    ["printf 'overlay\\nbr_netfilter\\n' | grep -c .", "2\n"],
    ["[[ v1.34 =~ ^v1\\.([0-9]+)$ && -n x ]] && echo yes", "yes\n"],
    ["x=$(false) || echo failed", "failed\n"],
    ["! false && echo fine", "fine\n"],
    ["(cd /tmp; pwd); pwd", "/tmp\n/\n"],
    ["echo 'swap x' > /tmp/f; sed -i '/swap/s/^/#/' /tmp/f; cat /tmp/f", "#swap x\n"],
    ['echo one > /tmp/f; echo two >> /tmp/f; while read -r line; do echo "<$line>"; done < /tmp/f', "<one>\n<two>\n"],
    ['set -- a b; echo $2 "$@" $#', "b a b 2\n"],
    ["echo error >&2 2>/dev/null; echo out 2>&1", "out\n"],
    ["trap 'echo bye' EXIT; echo hi; exit 0", "hi\nbye\n"],
    [". /etc/os-release; echo $ID $VERSION_CODENAME", "ubuntu jammy\n"],
    ['echo "$(echo "a  b")"', "a  b\n"],
    ['unset X; echo "${X:=d}$X"', "dd\n"],
    ["printf 'a\\nb c\\n' | xargs", "a b c\n"],
    ["printf '%.200f' 1 | wc -c; printf '%.*d' 3 7; echo", "102\n007\n"],
    ["awk 'BEGIN{printf \"%.200f\", 1}' | wc -c", "102\n"],
    ["mkdir -p /opt/x; echo y > /opt/x/z; ls -d /opt/x; ls /opt/x", "/opt/x\nz\n"],
    ["x=1; f() { local x=2 y; y=3; echo $x; }; f; echo $x${y:-}", "2\n1\n"],
    ['set -- "${NONE:-}" "${NONE:-}"; echo $#', "2\n"],
    ["f() { echo $?; }; false; f", "1\n"],
    [
      "trap 'code=$?; trap - EXIT; echo left $code; exit 0' INT EXIT; set -e; g() { (exit 3); echo on; }; g",
      "left 3\n",
    ],
    ["set -o noglob; echo /etc/os-*; set +o noglob; echo /etc/os-*", "/etc/os-*\n/etc/os-release\n"],
    ["x='a b'; echo ${x%%[[:blank:]]*}; case B in [[:upper:]]) echo upper;; esac", "a\nupper\n"],
    ["echo 'k/s{1}' | sed -e 's/[][{}/[:space:]]/^/g'; echo v1+k3s1 | sed 's/\\+/%2B/g'", "k^s^1^\nv1%2Bk3s1\n"],
    ["expr ab : '.*b'; expr v1.34 : 'v1[.]\\(.*\\)'; expr 2 + 3; expr '' : x || echo none", "2\n34\n5\n0\nnone\n"],
    ["A=\"it's\" sh -c export | grep '^export A='", `export A='it'"'"'s'\n`],
    ["printf 'a\\nb\\nc\\n' | sed -n '/b/{s/b/x/;p;q};$p'", "x\n"],
    ["printf 'a\\nb\\nc\\nd\\n' | sed '2,+1d'; printf 'a\\nb\\n' | sed 'x;G;1!h;$!d'", "a\nd\na\nb\n"],
    ["printf 'a\\nb\\n' | sed '0,/a/s//x/' 2>&1 | head -1 | wc -l", "1\n"],
    ["printf '\\377\\000x' | base64; printf /wB4 | base64 -d | od -An -tx1", "/wB4\n ff 00 78\n"],
    ["mountpoint -q /usr/local || mountpoint /proc", "/proc is a mountpoint\n"],
  ])("runs %s", async (script, out) => {
    expect(await strictMachine().run(script)).toMatchObject({ out, status: 0 });
  });

  it.each([
    ["nothing-here", "bash", 127, "bash: line 1: nothing-here: command not found\n"],
    ["\nnothing-here", "dash", 127, "sh: 2: nothing-here: not found\n"],
    [
      "python3 -c 'print(1)'",
      "bash",
      1,
      "python3: this program is on the simulated machine, but the model does not know what it does; a real machine may do it\n",
    ],
    [
      "printf '#!/usr/bin/python3\\n' > /opt/s; chmod +x /opt/s; /opt/s",
      "bash",
      1,
      "/opt/s: this script of /usr/bin/python3 is on the simulated machine, but the model does not know what it does; a real machine may do it\n",
    ],
    ["ufw allow 6443/tcp && mkfs.ext4 /dev/sdb && mount /dev/sdb /mnt", "bash", 0, ""],
    [
      "iptables -A INPUT -p tcp --dport 10250 -j DROP",
      "bash",
      1,
      "iptables: firewalls of the machine itself are not modelled, so this would have no effect; use one of the cloud\n",
    ],
    ["dpkg --compare-versions 1.34.2-1.1 gt 1.34.10-1.1", "bash", 1, ""],
    ["dpkg --compare-versions 1:1.0~rc1 lt 1:1.0", "bash", 0, ""],
    ["/opt/none", "bash", 127, "bash: line 1: /opt/none: No such file or directory\n"],
    ["echo 'echo a' > /tmp/s; /tmp/s", "bash", 126, "bash: line 1: /tmp/s: Permission denied\n"],
    ["set -o pipefail", "dash", 2, "sh: 1: set: Illegal option -o pipefail\n"],
    ["[[ a = a ]]", "dash", 127, "sh: 1: [[: not found\n"],
    ["echo a > /none/b", "bash", 1, "bash: line 1: /none/b: No such file or directory\n"],
    ["set -u; echo $NONE", "bash", 1, "bash: line 1: NONE: unbound variable\n"],
    ["if true; then echo a", "dash", 2, 'sh: 1: Syntax error: end of file unexpected (expecting "fi")\n'],
    ["curl -fsSL https://example.com/x", "bash", 6, "curl: (6) Could not resolve host: example.com\n"],
    ["curl -fsSL https://dl.k8s.io/none", "bash", 22, "curl: (22) The requested URL returned error: 404\n"],
  ] as const)("says what is wrong with %s", async (script, dialect, status, err) => {
    expect(await strictMachine().run(script, dialect)).toMatchObject({ err, status });
  });

  it("ends after a failure where it was told so, but not where the failure decides something", async () => {
    const { run } = strictMachine();
    expect(await run("set -e; false; echo on")).toMatchObject({ out: "", status: 1 });
    expect(await run("set -e; if false; then :; fi; false || true; ! true; echo on")).toMatchObject({ out: "on\n" });
    expect(await run("set -e\nset -o pipefail\nnone | cat\necho on")).toMatchObject({ out: "", status: 127 });
    expect(await run("false\nnone\necho on")).toMatchObject({ out: "on\n", status: 0 });
  });

  it("waits until something is there, and no longer than it is to", async () => {
    const { clock, disk, run } = strictMachine();
    const loop = "until test -e /done; do sleep 5; done; echo there";
    const begun = clock.now();
    const ended = Promise.all([
      run(loop),
      run(`timeout 1m sh -c '${loop}' || echo $?`),
      run(`timeout 8 sh -c '${loop}'`),
    ]);
    let ran: Awaited<typeof ended> | undefined;
    void ended.then((value) => (ran = value));
    await clock.advanceUntil(() => clock.now() - begun >= 12_000, { stepMs: 1000 });
    disk.write("/done", "");
    await clock.advanceUntil(() => ran !== undefined, { stepMs: 1000 });
    expect(clock.now() - begun).toBe(15_000);
    expect(ran).toMatchObject([
      { status: 0, out: "there\n" },
      { status: 0, out: "there\n" },
      { status: 124, out: "" },
    ]);
  });

  it("ends with the machine", async () => {
    const { off, run } = strictMachine();
    const ended = run("until test -e /done; do sleep 5; done");
    const busy = run("until false; do true; done");
    off.abort();
    await expect(ended).rejects.toThrow();
    await expect(busy).rejects.toThrow(/abort/i);
  });

  it.each([
    ["a loop", "until false; do true; done"],
    ["a loop in a shell", 'until false; do sh -c "until false; do true; done"; done'],
  ])("gives others their turns until it ends a script that never does: %s", async (_, script) => {
    let turns = 0;
    const turn = (): void => {
      turns += 1;
      if (turns < 1_000_000) next = setImmediate(turn);
    };
    let next = setImmediate(turn);
    const { err, status } = await strictMachine().run(script);
    clearImmediate(next);
    expect(status).toBe(1);
    expect(err).toContain("more than 100000 commands");
    expect(turns).toBeGreaterThan(1000);
  });

  it("fills no disk, and finds paths by a pattern with many stars in a moment", async () => {
    const { disk, run } = strictMachine();
    const doubles = Array.from({ length: 40 }, () => "cat /a /a > /b; cat /b /b > /a").join("; ");
    await run(`echo ${"x".repeat(1000)} > /a; ${doubles}`);
    const sizes = ["/a", "/b"].map((path) => disk.stat(path)?.bytes.length ?? 0);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(2 ** 21);
    disk.write(`/${"a".repeat(5000)}`, "");
    disk.write("/one-two-three", "x");
    disk.write("/one/two", "x");
    const { out } = await run(`sha256sum /${"a*".repeat(40)}b; sha256sum /one*two*ee; sha256sum /one*two`);
    expect(out.match(/ {2}.*/g)).toEqual(["  /one-two-three"]);
  });

  it("ends what never ends by itself", async () => {
    const { run } = strictMachine();
    expect(await run("while true; do :; done")).toMatchObject({ status: 1 });
    expect(await run("f() { f; }; f")).toMatchObject({ status: 2 });
    expect((await run(`x=${"a".repeat(1000)}; while true; do x=$x$x; done`)).status).not.toBe(0);
  });
});
