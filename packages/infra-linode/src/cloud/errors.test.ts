import { isCapstanError } from "@capstan/contract";
import { LinodeError } from "@capstan/linode-client";
import { describe, expect, it } from "vitest";
import { meanings, translate } from "./errors.ts";
import { specFields } from "./spec-fields.ts";

const failure = (
  status: number | undefined,
  errors: readonly { readonly reason: string; readonly field?: string }[] = [{ reason: "x" }],
  headers: Readonly<Record<string, string>> = {},
) =>
  new LinodeError({
    method: "POST",
    path: "linode/instances",
    errors,
    headers,
    ...(status === undefined ? {} : { status }),
  });

describe("translate", () => {
  it.each([
    [failure(401), "linode.unauthorized", "never"],
    [failure(403), "linode.forbidden", "never"],
    [failure(404), "linode.not_found", "backoff"],
    [failure(400, [{ reason: "is not valid", field: "region" }]), "linode.invalid", "after"],
    [failure(400, [{ reason: "The region is full" }]), "linode.refused", "backoff"],
    [
      failure(400, [{ reason: "Label must be unique among your linodes", field: "label" }]),
      "linode.label_taken",
      "backoff",
    ],
    [failure(400, [{ reason: "Linode busy." }]), "linode.busy", "after"],
    [failure(408), "linode.unavailable", "backoff"],
    [failure(503), "linode.unavailable", "backoff"],
    [failure(undefined), "linode.unavailable", "backoff"],
    [failure(418), "linode.unknown", "backoff"],
  ])("%s is %s, retried %s", (error, code, kind) => {
    expect(translate(error, "do it")).toMatchObject({ code, retry: { kind }, cause: error });
  });

  it("says what was tried, in the API's words, and what to do", () => {
    const error = translate(failure(400, [{ reason: "is not valid", field: "region" }]), "create instance node-1");
    expect((error as Error).message).toBe(
      "could not create instance node-1: [400] [region] is not valid; correct the source of the field",
    );
  });

  it.each([
    [["firewall_id"], "correct spec.firewallID or spec.firewallRef"],
    [["authorized_users.0", "authorized_users.1"], "correct spec.authorizedUsers"],
    [["image", "placement_group.id"], "correct spec.image, spec.placementGroupRef"],
    [["region", "swap_size"], "correct the source of the field"],
  ])("names the fields of the object that %j come from", (fields, mend) => {
    const refused = failure(
      400,
      fields.map((field) => ({ reason: "is not valid", field })),
    );
    const { message } = translate(refused, "create instance node-1", specFields.instance) as Error;
    expect(message.endsWith(`; ${mend}`), message).toBe(true);
  });

  it("points to the address when nobody answers", () => {
    const error = translate(failure(undefined, [{ reason: "ECONNREFUSED" }]), "list instances");
    expect((error as Error).message).toBe(
      "could not list instances: [2] ECONNREFUSED; check the network and the LINODE_URL next to the token; it is retried",
    );
  });

  it.each([
    ["seconds", { "retry-after": "7" }, 7000],
    [
      "a date by the API's clock",
      { "retry-after": "Thu, 01 Jan 2026 00:00:12 GMT", date: "Thu, 01 Jan 2026 00:00:02 GMT" },
      10_000,
    ],
    ["nothing", {}, 60_000],
  ])("waits after 429 as told: %s", (_name, headers: Readonly<Record<string, string>>, ms) => {
    expect(translate(failure(429, [], headers), "do it")).toMatchObject({
      code: "linode.rate_limited",
      retry: { kind: "after", ms },
    });
  });

  it("leaves other errors alone", () => {
    const other = new DOMException("stop", "AbortError");
    expect(translate(other, "do it")).toBe(other);
    expect(isCapstanError(translate(other, "do it"))).toBe(false);
  });
});

it("has one code per meaning", () => {
  const codes = Object.values(meanings).map(({ code }) => code);
  expect(new Set(codes).size).toBe(codes.length);
});
