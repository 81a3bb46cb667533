import { describe, expect, it } from "vitest";
import { documentType, multipart } from "./multipart.ts";

const merge = "list(append)";
const boundaryOf = (document: string): string => /boundary="([^"]+)"/.exec(document)?.[1] ?? "";

describe("multipart", () => {
  const base = { name: "base", content: "#cloud-config\nruncmd: [a]\n", merge };

  it("keeps plain parts readable, in their order, with the type cloud-init would guess", () => {
    const document = multipart([base, { name: "node", content: "## template: jinja\n#cloud-config\n", merge }]);
    const boundary = boundaryOf(document);
    expect(document).toBe(`Content-Type: multipart/mixed; boundary="${boundary}"
MIME-Version: 1.0

--${boundary}
Content-Type: text/cloud-config; charset="utf-8"
Content-Transfer-Encoding: 7bit
Content-Disposition: attachment; filename="step-00-base"
Merge-Type: list(append)

#cloud-config
runcmd: [a]

--${boundary}
Content-Type: text/jinja2; charset="utf-8"
Content-Transfer-Encoding: 7bit
Content-Disposition: attachment; filename="step-01-node"
Merge-Type: list(append)

## template: jinja
#cloud-config

--${boundary}--
`);
  });

  it("is the same text for the same parts, and another for others", () => {
    expect(multipart([base])).toBe(multipart([{ ...base }]));
    expect(boundaryOf(multipart([base]))).not.toBe(boundaryOf(multipart([{ ...base, content: "#cloud-config\n" }])));
  });

  it.each([
    ["beyond ASCII", "#cloud-config\nx: é\n"],
    ["with long lines", `#cloud-config\nx: ${"a".repeat(2000)}\n`],
    ["with carriage returns", "#cloud-config\r\nx: 1\r\n"],
  ])("encodes texts %s, so that no reader changes them", (_, content) => {
    const document = multipart([{ name: "p", content, merge }]);
    const [, body = ""] = document.split("Merge-Type: list(append)\n\n");
    const encoded = body.slice(0, body.indexOf("\n--"));
    expect(Buffer.from(encoded, "base64").toString()).toBe(content);
    expect(Math.max(...document.split("\n").map((line) => line.length))).toBeLessThan(100);
  });

  it("takes a part that is a MIME document itself as it is", () => {
    const inner = multipart([base]);
    expect(multipart([{ name: "outer", content: inner, merge }])).toContain(`\n${inner.trimEnd()}\n--`);
  });

  it("leaves to cloud-init what it would not know", () => {
    expect(documentType("hello")).toBeUndefined();
    expect(multipart([base, { name: "odd", content: "hello" }])).toContain(
      'Content-Type: text/plain; charset="utf-8"\nContent-Transfer-Encoding: 7bit\nContent-Disposition: attachment; filename="step-01-odd"\n\nhello',
    );
  });
});
