import { gunzipSync, gzipSync } from "node:zlib";
import type { BootstrapData } from "@capstan/contract/v1";
import { describe, expect, it } from "vitest";
import { readReport, reportScript, uploadedReport } from "./uploaded-report.ts";

const url = "https://s.example/uid.report?X-Amz-Signature=a&it's=b";
const headers = { "if-none-match": "*" };
const dataOf = (text: string | Uint8Array, format = "cloud-config"): BootstrapData => ({
  bytes: Buffer.from(text),
  format,
  secret: undefined,
});
const prepare = (data: BootstrapData, upload: (() => Promise<{ url: string; headers: object }>) | undefined) =>
  uploadedReport().prepare?.(data, { upload: upload as never });
const signed = async () => ({ url, headers });

describe("what is added to the bootstrap data", () => {
  it("leaves the document as it is, and adds a script that runs last", async () => {
    const document = "## template: jinja\n#cloud-config\nruncmd: [kubeadm join]\n";
    const prepared = await prepare(dataOf(document), signed);
    const text = Buffer.from((prepared as { bytes: Uint8Array }).bytes).toString();
    expect(text).toContain(`\n\n${document}\n--part-`);
    expect(text).toContain('Content-Type: text/x-shellscript; charset="utf-8"');
    const [, name = ""] = /x-shellscript[^]*?filename="([^"]+)"/.exec(text) ?? [];
    expect(["runcmd", "step-99-x", name].toSorted().at(-1)).toBe("zz-bootstrap-report");
    expect(text).toContain(reportScript({ url, headers }));
    expect(text).toMatch(/Merge-Type: list\(append\)[^]*- path: \/root\/\.curlrc\n {2}append: true\n/);
  });

  it("is packed again where the document came packed", async () => {
    const document = "#cloud-config\nruncmd: [kubeadm join]\n";
    const prepared = await prepare(dataOf(gzipSync(document)), signed);
    const { bytes } = prepared as { readonly bytes: Uint8Array };
    const text = gunzipSync(bytes).toString();
    expect(text).toContain(`\n\n${document}\n--part-`);
    expect(text).toContain("zz-bootstrap-report");
  });

  it("gives URL and headers to the shell as they are", () => {
    expect(reportScript({ url, headers }).split("\n").at(-2)).toContain(
      "--upload-file /run/capstan/bootstrap-report --header 'if-none-match: *' 'https://s.example/uid.report?X-Amz-Signature=a&it%27s=b' || echo",
    );
  });

  it.each([
    ["no object store", dataOf("#cloud-config\n"), undefined, "no object store"],
    ["Ignition", dataOf("{}", "ignition"), signed, "the format ignition"],
    ["what cannot be unpacked", dataOf(Uint8Array.of(0x1f, 0x8b, 8, 0)), signed, "not a cloud-init document"],
  ])("is not for %s", async (_case, data, upload, why) => {
    expect(await prepare(data, upload)).toEqual({ unavailable: expect.stringContaining(why) as string });
  });
});

describe("what a machine uploads", () => {
  it.each([
    ["capstan-bootstrap-report/v1 succeeded\nlog\n", { state: "succeeded" }],
    ["capstan-bootstrap-report/v1 failed\nline 1\nline 2\n", { state: "failed", log: "line 1\nline 2\n" }],
    ["capstan-bootstrap-report/v1 failed", { state: "failed", log: "" }],
    ["capstan-bootstrap-report/v1 perhaps\n", undefined],
    ["<html>", undefined],
    ["", undefined],
  ])("%j is %o", async (text, expected) => {
    expect(readReport(Buffer.from(text))).toEqual(expected);
    expect(await uploadedReport().read({ uploaded: async () => Buffer.from(text) })).toEqual(expected);
  });

  it("may not be there yet", async () => {
    expect(await uploadedReport().read({ uploaded: async () => undefined })).toBeUndefined();
  });
});
