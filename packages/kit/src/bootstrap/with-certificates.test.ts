import { CapstanError } from "@capstan/contract";
import type { ConditionInput } from "@capstan/contract/wire";
import { setDeprecatedCondition } from "@capstan/contract/wire";
import { expect, it } from "vitest";
import { withCertificates } from "./with-certificates.ts";

const said: ConditionInput[] = [];
const context = { condition: (input: ConditionInput) => void said.splice(0, said.length, input) };

const failing = (code: string) => () =>
  Promise.reject(new CapstanError({ code, reason: "Broken", message: "Secret a/b is broken" }));

it("says that certificates are there", async () => {
  expect(await withCertificates(context, "init", async () => 7)).toBe(7);
  expect(said).toEqual([{ type: "CertificatesAvailable", status: "True", reason: "Available" }]);
});

it.each([
  ["init", "bootstrap.certificates_corrupt", "CertificatesCorrupted", "Error"],
  ["init", "bootstrap.certificates_missing", "CertificatesGenerationFailed", "Warning"],
  ["join", "bootstrap.certificates_missing", "CertificatesCorrupted", "Error"],
  ["join", "kube.unavailable", "CertificatesGenerationFailed", "Warning"],
] as const)("says of %s in both generations that %s kept them away", async (command, code, reason, severity) => {
  await expect(withCertificates(context, command, failing(code))).rejects.toMatchObject({ code });
  const [condition] = said;
  const message = "Secret a/b is broken";
  expect(condition).toMatchObject({ status: "Unknown", reason: "InternalError", message });
  expect(setDeprecatedCondition([], condition!, { now: 0 })).toMatchObject([
    { type: "CertificatesAvailable", status: "False", reason, severity, message },
  ]);
});

it("leaves what is not an expected error to its caller", async () => {
  said.length = 0;
  await expect(withCertificates(context, "init", () => Promise.reject(new TypeError("a slip")))).rejects.toThrow(
    "a slip",
  );
  expect(said).toEqual([]);
});
