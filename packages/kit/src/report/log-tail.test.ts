import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { causeOf, headOf, joinedLogs, plainText, tailOf } from "./log-tail.ts";

describe("plainText", () => {
  it.each([
    ["colours", "\u001B[31merror\u001B[0m: x", "error: x"],
    ["a line that was written over", "  1 %\r 50 %\r100 %\ndone", "100 %\ndone"],
    ["line ends of elsewhere", "a\r\nb\r\r\n", "a\nb\n"],
    ["control characters but tabs", "a\u0000b\tc\u0007", "ab\tc"],
  ])("has no %s", (_case, log, expected) => {
    expect(plainText(log)).toBe(expected);
  });
});

describe("long lines", () => {
  it("are read once", () => {
    const line = "a".repeat(300_000);
    expect(plainText(`${line}\r${line}b\nc\r`)).toBe(`${line}b\nc`);
  });
});

describe("tailOf", () => {
  it.each([
    ["all that fits", "a\nb\n", 10, "a\nb"],
    ["whole lines", "first\nsecond\nthird", 12, "second\nthird"],
    ["whole lines only", "first\nsecond\nthird", 11, "third"],
    ["nothing where not even a character fits", "ä", 1, ""],
    ["the end of a long line", "abcdef", 3, "def"],
    ["no half of a character", "ää", 3, "ä"],
  ])("is %s", (_case, text, maxBytes, expected) => {
    expect(tailOf(text, maxBytes)).toBe(expected);
  });

  it("is never longer than asked for, and always an end", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.integer({ min: 1, max: 40 }), (text, maxBytes) => {
        const tail = tailOf(text, maxBytes);
        expect(Buffer.byteLength(tail)).toBeLessThanOrEqual(maxBytes);
        expect(text.trimEnd().endsWith(tail)).toBe(true);
      }),
    );
  });
});

describe("causeOf", () => {
  const log = (...lines: readonly string[]): string =>
    ["Cloud-init v. 24.4 running 'modules:final'", ...lines].join("\n");
  it.each([
    [
      "what preflight found",
      log("error execution phase preflight: x", "\t[ERROR Swap]: swap is on", "Failed to run module scripts-user"),
      "[ERROR Swap]: swap is on",
    ],
    [
      "the phase of kubeadm",
      log(
        "W1122 failed to look",
        "error execution phase preflight: no API server",
        "2026 util.py[WARNING]: Failed to run",
      ),
      "error execution phase preflight: no API server",
    ],
    [
      "the phase of kubeadm, also of one that it does not name",
      log("error execution phase: the token is not known", "finished; 1 commands failed"),
      "error execution phase: the token is not known",
    ],
    ["an error of another program", log("install: x", "E: unable", "fatal: no network"), "fatal: no network"],
    [
      "why a download failed",
      log("curl: (6) Could not resolve host: get.k3s.io", "Failed to run module scripts-user"),
      "curl: (6) Could not resolve host: get.k3s.io",
    ],
    [
      "that kubeadm is not there, whatever was said later",
      log(
        "/var/lib/cloud/instance/scripts/runcmd: 3: kubeadm: not found",
        "fatal: no network",
        "Failed running runcmd [127]",
      ),
      "kubeadm: command not found: install Kubernetes in preKubeadmCommands, or use an image that has it",
    ],
    [
      "why kubeadm is not there",
      log("E: Unable to locate package kubeadm", "runcmd: line 3: kubeadm: command not found"),
      "E: Unable to locate package kubeadm (then kubeadm: command not found): fix what installs kubeadm",
    ],
    [
      "the first failure of an installation, and not what came of it",
      log(
        "cloud-init: curl: (6) Could not resolve host: pkgs.k8s.io",
        "cloud-init: gpg: no valid OpenPGP data found.",
        "E: Unable to locate package kubeadm",
        "cloud-init: /var/lib/cloud/instance/scripts/runcmd: 3: kubeadm: not found",
      ),
      "curl: (6) Could not resolve host: pkgs.k8s.io (then kubeadm: command not found): fix what installs kubeadm",
    ],
    [
      "a program that the installation needs, before those that are missing for it",
      log("/usr/local/sbin/install: line 7: dnf: command not found", "runcmd: 3: kubeadm: not found"),
      "dnf: command not found (then kubeadm: command not found): fix what installs kubeadm",
    ],
    [
      "why an installation failed, after which nothing else was tried",
      log("E: Unable to locate package kubeadm", "util.py[WARNING]: Failed to run module scripts_user"),
      "E: Unable to locate package kubeadm",
    ],
    [
      "that another program is not there",
      log("/usr/local/bin/install: line 7: jq: command not found", "Failed running runcmd [127]"),
      "jq: command not found: install it before it is used, or use an image that has it",
    ],
    [
      "which service did not start",
      log("Job for k3s.service failed because a timeout was exceeded.", "Failed to run module scripts-user"),
      "Job for k3s.service failed because a timeout was exceeded.",
    ],
    [
      "what cloud-init says at least",
      log("util.py[WARNING]: Failed to run module scripts-user"),
      "Failed to run module scripts-user",
    ],
  ])("is %s", (_case, text, expected) => {
    expect(causeOf(text)).toBe(expected);
  });

  it("is nothing when no line looks like it, and one line of bounded length", () => {
    expect(causeOf(log("all is well"))).toBeUndefined();
    expect(Buffer.byteLength(causeOf(`error: ${"x".repeat(1000)}`) ?? "")).toBe(256);
  });
});

describe("headOf", () => {
  it.each([
    ["short", 10, "short"],
    ["0123456789a", 10, "0123456…"],
    ["éééééé", 8, "éé…"],
  ])("of %s in %i bytes is %s", (text, maxBytes, expected) => {
    expect(headOf(text, maxBytes)).toBe(expected);
  });
});

describe("joinedLogs", () => {
  it.each([
    ["a\r\nb\n", "c\n", "a\nb\nc"],
    ["a\nb\nc\n", "b\nc\n", "a\nb\nc"],
    ["", "c", "c"],
    ["a", "", "a"],
  ])("of %j and %j is %j", (longer, shorter, expected) => {
    expect(joinedLogs(longer, shorter)).toBe(expected);
  });
});
