import type { HostFiles } from "../agent/host-system.ts";
import { gzipSync, zstdCompressSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { TarError } from "./read-tar.ts";
import { UnpackError, unpackTar } from "./unpack.ts";

interface Entry {
  readonly path: string;
  readonly type?: string;
  readonly content?: string;
  readonly target?: string;
  readonly mode?: number;
}

const headerOf = ({ content = "", mode = 0o644, path, target = "", type = "0" }: Entry): Buffer => {
  const header = Buffer.alloc(512);
  header.write(path, 0);
  header.write(mode.toString(8).padStart(7, "0"), 100);
  header.write(content.length.toString(8).padStart(11, "0"), 124);
  header.write(" ".repeat(8), 148);
  header.write(type, 156);
  header.write(target, 157);
  header.write("ustar\0" + "00", 257);
  const sum = header.reduce((all, byte) => all + byte, 0);
  header.write(`${sum.toString(8).padStart(6, "0")}\0`, 148);
  return header;
};

const tar = (...entries: readonly Entry[]): Buffer =>
  Buffer.concat([
    ...entries.flatMap((entry) => {
      const { content = "" } = entry;
      return [headerOf(entry), Buffer.from(content, "latin1"), Buffer.alloc((512 - (content.length % 512)) % 512)];
    }),
    Buffer.alloc(1024),
  ]);

/** Small pieces, as a network gives them. */
async function* pieces(bytes: Buffer, size = 100): AsyncGenerator<Uint8Array> {
  for (let offset = 0; offset < bytes.length; offset += size) yield bytes.subarray(offset, offset + size);
}

const unpacked = async (archive: Buffer, limits = { bytes: 10_000, entries: 10 }): Promise<Record<string, string>> => {
  return unpackedInto({}, archive, limits);
};

const unpackedInto = async (
  found: Record<string, string>,
  archive: Buffer,
  limits = { bytes: 10_000, entries: 10 },
): Promise<Record<string, string>> => {
  const files = {
    read: async (path: string) => (path in found ? Buffer.from(found[path] ?? "") : undefined),
    makeFolder: async () => undefined,
    link: async (path: string, target: string) => void (found[path] = `-> ${target}`),
    write: async (path: string, content: AsyncIterable<Uint8Array> | Uint8Array) => {
      const parts: Uint8Array[] = [];
      if (content instanceof Uint8Array) parts.push(content);
      else for await (const part of content) parts.push(part);
      found[path] = Buffer.concat(parts).toString();
    },
  } as unknown as HostFiles;
  await unpackTar(() => pieces(archive), { files, folder: "/f", limits });
  return found;
};

describe("an archive", () => {
  it.each(["/", "./", "."])("may have an entry %j for its own root folder", async (path) => {
    const archive = tar({ path, type: "5", mode: 0o755 }, { path: "install.sh", content: "exit 0" });
    expect(await unpacked(archive)).toEqual({ "/f/install.sh": "exit 0" });
    // A file whose name ends with a slash is a folder, as in tar before POSIX; a folder has no content.
    await expect(unpacked(tar({ path: "/", content: "x" }))).rejects.toThrow(TarError);
    await expect(unpacked(tar({ path: "/etc", type: "5" }))).rejects.toThrow("absolute path");
  });

  it("is unpacked with folders, links, and long names", async () => {
    const long = `data/${"x".repeat(150)}`;
    const record = ` path=${long}\n`;
    const extended = `${record.length + 3}${record}`;
    const archive = tar(
      { path: "./", type: "5" },
      { path: "install.sh", content: "#!/bin/sh\n", mode: 0o755 },
      { path: "pax", type: "x", content: extended },
      { path: "short", content: "long" },
      { path: "data/link", type: "2", target: "../install.sh" },
      { path: "data/same", type: "1", target: "install.sh" },
    );
    expect(await unpacked(archive)).toEqual({
      "/f/install.sh": "#!/bin/sh\n",
      [`/f/${long}`]: "long",
      "/f/data/link": "-> ../install.sh",
      "/f/data/same": "#!/bin/sh\n",
    });
  });

  it.each<[string, readonly Entry[], string]>([
    ["an absolute path", [{ path: "/etc/passwd" }], "/etc/passwd is an absolute path"],
    ["a path that goes up", [{ path: "a/../../b" }], "leads out of its folder"],
    ["a device", [{ path: "null", type: "3" }], "null is a device"],
    ["a pipe", [{ path: "pipe", type: "6" }], "pipe is a device"],
    ["a link to an absolute path", [{ path: "a", type: "2", target: "/etc" }], "leads out of its folder"],
    ["a link that goes up too far", [{ path: "a/b", type: "2", target: "../../etc" }], "leads out of its folder"],
    ["a link by way of a link", [{ path: "a", type: "2", target: "b/../../etc" }], "leads out of its folder"],
    ["a file behind a link", [{ path: "a", type: "2", target: "b" }, { path: "a/c" }], "a/c is behind a link"],
    ["a hard link to elsewhere", [{ path: "a", type: "1", target: "../b" }], "leads out of its folder"],
    ["a hard link to nothing", [{ path: "a", type: "1", target: "b" }], "which is not there"],
    ["too many entries", Array.from({ length: 11 }, (_, index) => ({ path: `f${index}` })), "more than 10 entries"],
    [
      "hard links that unpack to too much",
      [
        { path: "a", content: "x".repeat(2_000) },
        ...Array.from({ length: 5 }, (_, index) => ({ path: `b${index}`, type: "1", target: "a" })),
      ],
      "more than 10000 bytes",
    ],
    [
      "extended headers that no entry follows",
      Array.from({ length: 20 }, () => ({ path: "pax", type: "g", content: "6 a=b\n" })),
      "its extended headers have more than 10000 bytes",
    ],
    [
      "long extended headers",
      Array.from({ length: 2 }, () => ({ path: "pax", type: "x", content: `6000 a=${"b".repeat(5_992)}\n` })),
      "its extended headers have more than 10000 bytes",
    ],
    ["a name twice", [{ path: "a" }, { path: "./a" }], "a is in it twice"],
    ["a file as a folder", [{ path: "a" }, { path: "a/b" }], "a/b is in a, which is not a folder"],
    ["a file in place of a folder", [{ path: "a/b" }, { path: "a" }], "a is in it twice"],
    ["a link in place of its root", [{ path: ".", type: "2", target: "a" }], ". is the folder of the archive"],
    [
      "a file behind a link of another spelling",
      [{ path: "A\u00e9", type: "2", target: "b" }, { path: "AE\u0301/c" }],
      "is behind a link",
    ],
    ["a name that is not UTF-8", [{ path: "a\uFFFD" }], "is not UTF-8"],
    ["too much", [{ path: "large", content: "x".repeat(10_001) }], "more than 10000 bytes"],
  ])("is refused with %s", async (_, entries, said) => {
    const failure = await unpacked(tar(...entries)).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(UnpackError);
    expect((failure as Error).message).toContain(said);
  });

  it.each(["x", "-5", "1e3", "99999999999999999999"])("is refused with %s as the size of an entry", async (size) => {
    const record = ` size=${size}\n`;
    const length = record.length + (record.length < 9 ? 1 : 2);
    const extended = `${length}${record}`;
    const archive = tar({ path: "pax", type: "x", content: extended }, { path: "a", content: "text" });
    await expect(unpacked(archive)).rejects.toThrow(/an extended header has an impossible size/);
  });

  it.each(["x a=b\n", "6a=b\n", "0 a=b\n", "2 a=b\n", "9 a=b\n", "9".repeat(400)])(
    "is refused with %j as an extended header",
    async (content) => {
      const archive = tar({ path: "pax", type: "x", content }, { path: "a", content: "text" });
      await expect(unpacked(archive)).rejects.toThrow("an extended header cannot be read");
    },
  );

  it("is refused when a part of it is of no known type, or when it is packed in itself", async () => {
    await expect(unpacked(tar({ path: "a", type: "S" }))).rejects.toThrow("a is of a type that is not unpacked");
    const packed = gzipSync(tar({ path: "a", content: "text" }));
    await expect(unpacked(packed)).rejects.toThrow("the archive is packed twice");
    await expect(unpacked(zstdCompressSync(tar({ path: "a" })))).rejects.toThrow("the archive is packed twice");
  });

  it("is refused when a number in a header is none", async () => {
    const archive = tar({ path: "a", content: "text" });
    archive.write("none", 124);
    const sum = archive.subarray(0, 512).reduce((all, byte, at) => all + (at >= 148 && at < 156 ? 0x20 : byte), 0);
    archive.write(`${sum.toString(8).padStart(6, "0")}\0`, 148);
    await expect(unpacked(archive)).rejects.toThrow("a header has no number where one must be");
  });

  it("may have attributes that are no text, and a long name as GNU tar writes it", async () => {
    const value = Buffer.from([0x20, 0x53, 0xff, 0xfe, 0x0a]).toString("latin1");
    const attribute = "SCHILY.xattr.security.capability=\u0001\u0000\u00ff";
    const long = `data/${"y".repeat(120)}`;
    const archive = tar(
      { path: "pax", type: "x", content: `${attribute.length + 4} ${attribute}${value}` },
      { path: "install.sh", content: "exit 0" },
      { path: "././@LongLink", type: "L", content: `${long}\0` },
      { path: "short", content: "long" },
    );
    expect(await unpacked(archive)).toEqual({ "/f/install.sh": "exit 0", [`/f/${long}`]: "long" });
  });

  it("is refused whole: nothing is unpacked of one whose last entry is hostile", async () => {
    const found: Record<string, string> = {};
    const archive = tar({ path: "install.sh", content: "exit 0" }, { path: "null", type: "3" });
    await expect(unpackedInto(found, archive)).rejects.toThrow("null is a device");
    expect(found).toEqual({});
    const whole = tar({ path: "install.sh", content: "exit 0" }, { path: "data", content: "x".repeat(600) });
    await expect(unpackedInto(found, whole.subarray(0, 1700))).rejects.toThrow("ends too early");
    expect(found).toEqual({});
  });

  it("is refused with a sparse file, of either form", async () => {
    const record = "22 GNU.sparse.major=1\n";
    await expect(
      unpacked(tar({ path: "pax", type: "x", content: record }, { path: "a", content: "text" })),
    ).rejects.toThrow("a file in it is sparse");
    const name = "SCHILY.xattr.user.a=\u00ff\n";
    const both = `${name.length + 3} ${name}${record}`;
    await expect(
      unpacked(tar({ path: "pax", type: "x", content: both }, { path: "a", content: "text" })),
    ).rejects.toThrow(TarError);
  });

  it.each([
    ["below nothing", [0xff, ...Array.from({ length: 10 }, () => 0xff), 0x00]],
    ["that no computer has", [0x80, 0x7f, ...Array.from({ length: 10 }, () => 0xff)]],
  ])("is refused with a size %s in binary", async (_, size) => {
    const archive = tar({ path: "a", content: "text" }, { path: "b" });
    Buffer.from(size).copy(archive, 124);
    const sum = archive.subarray(0, 512).reduce((all, byte, at) => all + (at >= 148 && at < 156 ? 0x20 : byte), 0);
    archive.write(`${sum.toString(8).padStart(6, "0")}\0`, 148);
    await expect(unpacked(archive)).rejects.toThrow(TarError);
  });

  it("is refused when it was cut off or changed", async () => {
    const whole = tar({ path: "install.sh", content: "x".repeat(600) });
    await expect(unpacked(whole.subarray(0, 700))).rejects.toThrow("ends too early");
    const changed = Buffer.from(whole);
    changed.write("other", 0);
    await expect(unpacked(changed)).rejects.toThrow(TarError);
  });
});
