import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fakeClock } from "@capstan/testing";
import { gzipSync } from "fflate";
import { afterEach, describe, expect, it } from "vitest";
import { turnsUntil } from "@capstan/testing";
import { parseCloudConfig, readCloudConfigs, writeFiles } from "./cloud-config.ts";
import { Disk } from "./disk.ts";
import { readUserData } from "./user-data.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const metadata = { label: "worker-0", "local-hostname": "worker-0", "instance-id": "7" };

const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

const serve = async (statuses: readonly number[], body: string) => {
  let calls = 0;
  const server = createServer((_, response) => {
    response.statusCode = statuses[Math.min(calls, statuses.length - 1)] ?? 200;
    calls += 1;
    response.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  stops.push(() => server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/o?a=1&b=%2F`, calls: () => calls };
};

const read = async (userData: Uint8Array) => {
  const clock = fakeClock();
  const lines: string[] = [];
  const options = { metadata, clock, signal: new AbortController().signal, log: (line: string) => lines.push(line) };
  let over = false;
  const result = readUserData(userData, options).finally(() => {
    over = true;
  });
  result.catch(() => undefined);
  await clock.advanceUntil(() => over, { stepMs: 100 });
  return { parts: await result, lines };
};

describe("user-data", () => {
  it("is followed through an include and rendered as a template", async () => {
    const { url } = await serve(
      [500, 503, 200],
      '## template: jinja\n#cloud-config\nruncmd: ["echo {{ ds.meta_data.label }}"]\n',
    );
    const { parts, lines } = await read(bytes(`#include\n${url}\n`));
    expect(parts).toEqual([{ type: "cloud-config", text: '#cloud-config\nruncmd: ["echo worker-0"]\n' }]);
    expect(lines.join()).not.toContain(url);
  });

  const part = (headers: string, body: string): string => `--b\n${headers}\n\n${body}\n`;
  it("is read once where a part has a long line of spaces", async () => {
    const spaces = "\t".repeat(200_000);
    const part = `--b\nContent-Type: text/plain\nContent-Transfer-Encoding: quoted-printable\n\na${spaces}=\nb${spaces}c\n`;
    await expect(read(multipart(part))).resolves.toBeDefined();
  });

  const multipart = (...parts: readonly string[]): Uint8Array =>
    bytes(`Content-Type: multipart/mixed; boundary="b"\nMIME-Version: 1.0\n\n${parts.join("")}--b--\n`);
  const append = "list(append)+dict(no_replace,recurse_list)+str()";

  it("is unfolded when it is a MIME multi-part, each part as its own headers say", async () => {
    const { parts } = await read(
      multipart(
        part(
          `Content-Type: text/jinja2\nMerge-Type: ${append}`,
          "## template: jinja\n#cloud-config\nx: {{ ds.meta_data.label }}\n",
        ),
        part(
          "Content-Type: text/x-shellscript\nContent-Transfer-Encoding: base64",
          Buffer.from("#!/bin/sh\n").toString("base64"),
        ),
      ),
    );
    expect(parts).toEqual([
      { type: "cloud-config", text: "#cloud-config\nx: worker-0\n", merge: append },
      { type: "script", text: "#!/bin/sh\n" },
    ]);
  });

  it("is read to its end when its multi-part has none, and not at all without a version", async () => {
    const text = "Content-Type: multipart/mixed; boundary=b\nMIME-Version: 1.0\n\n--b\n\n#cloud-config\nx: 1\n";
    expect((await read(bytes(text))).parts).toEqual([{ type: "cloud-config", text: "#cloud-config\nx: 1" }]);
    const without = await read(bytes(text.replace("MIME-Version: 1.0\n", "")));
    expect(without.parts).toMatchObject([{ type: "unknown" }]);
  });

  it("is dropped whole when an include stays forbidden, after eleven tries", async () => {
    const { url, calls } = await serve([403], "no");
    await expect(read(bytes(`#include\n${url}\n`))).rejects.toMatchObject({ code: "guest.include_failed" });
    expect(calls()).toBe(11);
  });

  it("is unpacked when it is gzip", async () => {
    expect((await read(gzipSync(bytes("#cloud-config\n{}\n")))).parts[0]).toMatchObject({ type: "cloud-config" });
    expect((await read(new Uint8Array([0x1f, 0x8b, 1, 2]))).parts).toMatchObject([{ type: "unknown" }]);
  });

  it("is dropped when it unpacks to too much, or includes itself", async () => {
    const bomb = gzipSync(new Uint8Array(70 * 2 ** 20));
    await expect(read(bomb)).rejects.toMatchObject({ code: "guest.userdata_invalid" });
    const file = `{path: /a, encoding: gz+b64, content: ${Buffer.from(gzipSync(new Uint8Array(5 * 2 ** 20))).toString("base64")}}`;
    const { failures } = await parseCloudConfig(`#cloud-config\nwrite_files:\n- ${file}\n- ${file}\n`);
    expect(failures.join()).toMatch(/write_files\[1\]\.content cannot be unpacked/);
    const self = { url: "" };
    const server = createServer((_, response) => void response.end(`#include\n${self.url}\n`));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    stops.push(() => server.close());
    self.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    await expect(read(bytes(`#include\n${self.url}\n`))).rejects.toMatchObject({ code: "guest.include_failed" });
  });

  it("is left out when its template is broken, and marks variables it does not know", async () => {
    const broken = await read(bytes("## template: jinja\n#cloud-config\n{{ oops"));
    expect(broken.parts).toEqual([]);
    expect(broken.lines.join()).toContain("Ignoring jinja template");
    const { parts } = await read(bytes("## template: jinja\n#cloud-config\nx: {{ ds.meta_data.nope }}\n"));
    expect(parts[0]).toMatchObject({ text: "#cloud-config\nx: CI_MISSING_JINJA_VAR/nope\n" });
  });
});

describe("cloud-config", () => {
  it("is read as YAML 1.1 and decodes every encoding", async () => {
    const packed = Buffer.from(gzipSync(bytes("zip"))).toString("base64");
    const config = await parseCloudConfig(
      `#cloud-config\nwrite_files:\n- {path: /a, content: aGk=, encoding: b64, permissions: 0600}\n- {path: /b, content: ${packed}, encoding: gz+b64}\n- {path: /c, content: x}\n- {path: /c, content: z, append: true}\nntp: {enabled: yes}\n`,
    );
    const disk = new Disk();
    writeFiles(config, disk);
    expect(["/a", "/b", "/c"].map((path) => disk.text(path))).toEqual(["hi", "zip", "xz"]);
    expect(disk.stat("/a")?.permissions).toBe("0600");
    expect(config.ignored).toEqual(["ntp"]);
  });

  // A reader that compares each key with all others takes minutes for the first.
  it.each([
    ["many keys", Array.from({ length: 60_000 }, (_, index) => `k${index}: 1`).join("\n"), undefined],
    ["many files", `write_files:\n${"- {path: /a, content: x}\n".repeat(60_000)}`, "lines and separators"],
    ["brackets", `x: ${"[".repeat(300_000)}`, "is not valid YAML"],
    [
      "aliases",
      `a: &a [x]\n${Array.from({ length: 200 }, (_, index) => `k${index}: *a\n`).join("")}`,
      "is not valid YAML",
    ],
  ])("is read soon, or refused: %s", async (_, text, problem) => {
    const config = parseCloudConfig(`#cloud-config\n${text}\n`);
    if (problem === undefined) {
      expect(await turnsUntil(config)).toBeGreaterThan(0);
      expect(await config).toMatchObject({ runcmd: [] });
    } else await expect(config).rejects.toThrow(problem);
  });

  it("stops writing at a file whose owner is made later", async () => {
    const config = await parseCloudConfig(
      "users: [{name: ops}]\nwrite_files:\n- {path: /a, content: x}\n- {path: /b, content: x, owner: 'ops:ops'}\n- {path: /c, content: x}\n",
    );
    const disk = new Disk();
    expect(() => writeFiles(config, disk)).toThrow(/stops at \/b/);
    expect(disk.paths()).toEqual(["/a", "/b"]);
  });

  it("survives being saved", () => {
    const disk = new Disk();
    disk.write("/etc/../etc/a", new Uint8Array([0, 255]), { permissions: "0600" });
    expect(Disk.fromJSON(JSON.parse(JSON.stringify(disk)) as ReturnType<Disk["toJSON"]>).stat("/etc/a")).toEqual(
      disk.stat("/etc/a"),
    );
  });
});

describe("several cloud-configs", () => {
  const first = "#cloud-config\nruncmd: [a]\nbootcmd: [b]\n";
  const second = "#cloud-config\nruncmd: [c]\n";
  const lines: string[] = [];
  const merged = async (...texts: Parameters<typeof readCloudConfigs>[0]) =>
    readCloudConfigs(texts, (line) => lines.push(line));

  it("append their lists when they say so", async () => {
    const merge = "list(append)+dict(recurse_list)";
    expect(await merged({ text: first }, { text: second, merge })).toMatchObject({
      runcmd: ["a", "c"],
      bootcmd: ["b"],
    });
  });

  it("replace their keys otherwise", async () => {
    expect(await merged({ text: first }, { text: second })).toMatchObject({ runcmd: ["c"], bootcmd: ["b"] });
  });

  it("do without one that cannot be read", async () => {
    expect(await merged({ text: first }, { text: "#cloud-config\nruncmd: [" })).toMatchObject({ runcmd: ["a"] });
    expect(lines.join()).toContain("Failed at merging in cloud config part");
  });
});

describe("modules of a cloud-config that is wrong", () => {
  const of = async (text: string) => {
    const config = await parseCloudConfig(`#cloud-config\n${text}\n`);
    const disk = new Disk();
    writeFiles(config, disk);
    return { config, paths: disk.paths() };
  };

  it.each([
    ["runcmd: echo a", /runcmd is not a list/],
    ["runcmd: [echo a, 5]", /runcmd\[1\] is neither/],
    ["runcmd:", /runcmd is not a list/],
  ])("fail alone: %s", async (text, failure) => {
    const { config, paths } = await of(`write_files: [{path: /a, content: x}]\n${text}`);
    expect(config).toMatchObject({ runcmd: [] });
    expect(config.failures.join()).toMatch(failure);
    expect(paths).toEqual(["/a"]);
  });

  it("write the files before the first that cannot be read", async () => {
    const files = [
      "{path: /a, content: x}",
      "{content: y}",
      "{path: /b, content: aGk, encoding: b64}",
      "{path: /c, content: z}",
    ];
    const { config, paths } = await of(`write_files: [${files.join(", ")}]`);
    expect(paths).toEqual(["/a"]);
    expect(config.failures.join()).toMatch(/write_files\[1\] has no path.*write_files\[2\].content is no base64/);
  });

  it("take an encoding that there is not for text, and permissions that are none for the usual", async () => {
    const { config } = await of("write_files: [{path: /a, content: x, encoding: rot13, permissions: rw-r--r--}]");
    expect(config.writeFiles).toMatchObject([{ permissions: "0644" }]);
    expect(config.failures).toEqual([]);
  });
});
