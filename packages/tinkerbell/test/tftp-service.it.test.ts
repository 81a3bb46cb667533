import { createSocket, type Socket } from "node:dgram";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "@capstan/testing";
import { ConformanceEnvironment, type RunningManager } from "@capstan/testing/environment";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Hardware } from "../src/api.ts";
import { createTinkerbellProvider } from "../src/index.ts";
import { scriptPlaceholder } from "../src/netboot/patched-binary.ts";
import { fetchedFrom } from "./fetched.ts";

const server = "127.7.3.1";
const machine = "127.7.3.5";
const stranger = "127.7.3.6";
const mac = "52:54:00:00:03:0a";

let folder: string;
let environment: ConformanceEnvironment;
let running: RunningManager;
let tftpPort: number;
let httpPort: number;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "capstan-boot-"));
  mkdirSync(join(folder, "pi"));
  writeFileSync(join(folder, "undionly.kpxe"), Buffer.alloc(1500, "u"));
  writeFileSync(join(folder, "snponly.efi"), `before${scriptPlaceholder}after`);
  writeFileSync(join(folder, "private.key"), "secret");
  writeFileSync(join(folder, "pi/start4.elf"), "firmware");
  symlinkSync("/etc/hostname", join(folder, "outside.efi"));
  environment = await ConformanceEnvironment.start([Hardware]);
  await environment.client.create(Hardware, {
    apiVersion: "tinkerbell.org/v1alpha1",
    kind: "Hardware",
    metadata: { name: "a", namespace: "default" },
    spec: {
      interfaces: [
        {
          disableDhcp: false,
          dhcp: { mac, ip: { address: machine } },
          netboot: {
            allowPXE: true,
            osie: { kernelParams: ["a=b", "c"] },
            pxelinux: { config: "default linux" },
            rpi: { serialNum: "10000000abcd", configTxt: "arm_64bit=1", firmwarePath: "pi" },
          },
        },
      ],
    },
  });
  [tftpPort, httpPort] = [await freePort(), await freePort()];
  const services = { address: server, ipxeFolder: folder, ipxePatch: "set x 1", tftpPort, httpPort };
  running = await environment.runManager({
    providers: [createTinkerbellProvider({ parts: ["tftp", "http"], services })],
  });
});
afterAll(async () => {
  await running.stop();
  await environment.stop();
  rmSync(folder, { recursive: true });
});

const readRequest = (operation: number, path: string, mode = "octet"): Buffer =>
  Buffer.concat([Buffer.from([0, operation]), Buffer.from(`${path}\0${mode}\0`)]);

/** Reads a file as the simplest client does; an error of the server is `error <code>`. */
const read = async (path: string, { from = machine, mode = "octet", operation = 1 } = {}): Promise<string> => {
  const socket: Socket = createSocket("udp4");
  socket.bind({ address: from, port: 0 });
  await once(socket, "listening");
  const blocks: Buffer[] = [];
  socket.send(readRequest(operation, path, mode), tftpPort, server);
  try {
    for (;;) {
      const [bytes] = (await once(socket, "message")) as [Buffer];
      if (bytes.readUInt16BE(0) === 5) return `error ${bytes.readUInt16BE(2)}`;
      blocks.push(bytes.subarray(4));
      socket.send(Buffer.concat([Buffer.from([0, 4]), bytes.subarray(2, 4)]), tftpPort, server);
      if (bytes.length < 516) return Buffer.concat(blocks).toString();
    }
  } finally {
    socket.close();
  }
};

describe("TFTP", () => {
  it("sends binaries, with or without the MAC address of the machine before them", async () => {
    expect(await read("undionly.kpxe")).toBe("u".repeat(1500));
    expect(await read(`/${mac}/undionly.kpxe`, { from: stranger })).toBe("u".repeat(1500));
  });

  it("sends a binary of Tinkerbell with the lines that were asked for, in its own length, also by its other name", async () => {
    const expected = `before${"set x 1".padEnd(scriptPlaceholder.length)}after`;
    expect(await read("snponly.efi")).toBe(expected);
    expect(await read("snp-x86_64.efi")).toBe(expected);
  });

  it.each([
    "private.key",
    "outside.efi",
    "../undionly.kpxe",
    "nothing.efi",
    `${mac}/netboot-not-allowed`,
    "pi/start4.elf",
  ])("does not send %s", async (path) => {
    expect(await read(path)).toBe("error 1");
  });

  it("sends a machine its configuration of pxelinux, by its MAC address", async () => {
    expect(await read(`pxelinux.cfg/01-${mac.replaceAll(":", "-")}`)).toBe("default linux");
    expect(await read("pxelinux.cfg/01-52-54-00-00-03-0b")).toBe("error 1");
    expect(await read("pxelinux.cfg/default")).toBe("error 1");
  });

  it("sends a Raspberry Pi its files by its serial number, and no one else", async () => {
    const files = ["config.txt", "cmdline.txt", "start4.elf", "../private.key", "../undionly.kpxe"];
    const of = (from: string) => Promise.all(files.map((file) => read(`10000000abcd/${file}`, { from })));
    expect(await of(machine)).toEqual(["arm_64bit=1", "a=b c", "firmware", "error 1", "error 1"]);
    expect(new Set(await of(stranger))).toEqual(new Set(["error 1"]));
  });

  it("takes no files, and knows the modes octet and netascii", async () => {
    expect(await read("undionly.kpxe", { operation: 2 })).toBe("error 2");
    expect(await read("undionly.kpxe", { mode: "mail" })).toBe("error 4");
    expect(await read(`pxelinux.cfg/01-${mac.replaceAll(":", "-")}`, { mode: "NETASCII" })).toBe("default linux");
  });

  it("begins no more than some files at once for an address", async () => {
    const sockets = Array.from({ length: 9 }, () => createSocket("udp4"));
    const answers = await Promise.all(
      sockets.map(async (socket) => {
        socket.bind({ address: "127.7.3.9", port: 0 });
        await once(socket, "listening");
        socket.send(readRequest(1, "undionly.kpxe"), tftpPort, server);
        const [bytes] = (await once(socket, "message")) as [Buffer];
        return bytes.readUInt16BE(0);
      }),
    );
    expect(answers.filter((operation) => operation === 3)).toHaveLength(8);
    expect(answers.filter((operation) => operation === 5)).toHaveLength(1);
    for (const socket of sockets) socket.close();
  });
});

it("binaries are served by HTTP as well, and nothing else of their folder", async () => {
  const get = (path: string) => fetchedFrom(machine, `http://${server}:${httpPort}${path}`);
  expect(await get("/ipxe/binary/undionly.kpxe")).toMatchObject({ status: 200, text: "u".repeat(1500) });
  const efi = await get(`/ipxe/binary/${mac.replaceAll(":", "%3A")}/snponly.efi`);
  expect(efi).toMatchObject({ status: 200, type: "application/efi" });
  expect(efi.text).toContain("set x 1");
  for (const path of ["private.key", "..%2Fundionly.kpxe", "outside.efi", "machine/undionly.kpxe"]) {
    expect((await get(`/ipxe/binary/${path}`)).status, path).toBe(404);
  }
});
