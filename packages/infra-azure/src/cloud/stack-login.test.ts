import { expect, it } from "vitest";
import type { Transport } from "../arm/arm-transport.ts";
import { stackLogin } from "./stack-login.ts";

const endpoint = "https://management.local.stack.example";
const call = { signal: new AbortController().signal };
const answering =
  (body: unknown, status = 200): Transport =>
  async ({ url }) => {
    expect(url.href).toBe(`${endpoint}/metadata/endpoints?api-version=2015-01-01`);
    return { status, headers: {}, body };
  };
const audiences = ["https://management.tenant.example/1"];

it.each([
  ["https://login.microsoftonline.com/", "https://login.microsoftonline.com"],
  ["https://login.microsoftonline.com", "https://login.microsoftonline.com"],
  ["https://adfs.local.stack.example/adfs", "https://adfs.local.stack.example"],
  ["https://adfs.local.stack.example/adfs/", "https://adfs.local.stack.example"],
])("%s is the authority %s", async (loginEndpoint, authority) => {
  const login = await stackLogin(endpoint, answering({ authentication: { loginEndpoint, audiences } }), call);
  expect(login).toEqual({ authority, audience: audiences[0] });
});

it.each([
  [{}, 200],
  [{ authentication: { loginEndpoint: "https://x", audiences: [] } }, 200],
  ["<html>", 200],
  [{ authentication: { loginEndpoint: "https://x", audiences } }, 503],
])("%j with %i is no answer, and is asked for again", async (body, status) => {
  await expect(stackLogin(endpoint, answering(body, status), call)).rejects.toMatchObject({
    code: "azure.unavailable",
    message: expect.stringContaining("set AZURE_AUTHORITY_HOST and AZURE_RESOURCE_MANAGER_AUDIENCE") as string,
  });
});
