import { expect, it } from "vitest";
import { armError, azureError, failureIn, meaningOf, throwForemost } from "./arm-error.ts";

const body = (code: string, message = "m", details: readonly object[] = []) => ({ error: { code, message, details } });

it.each([
  [404, body("ResourceNotFound"), "notFound"],
  [403, body("AuthorizationFailed"), "forbidden"],
  [403, body("RequestDisallowedByPolicy"), "policy"],
  [409, body("ScopeLocked"), "locked"],
  [409, body("OperationNotAllowed", "exceeding approved Total Regional Cores quota"), "quota"],
  [409, body("OperationNotAllowed", "the disk is attached"), "busy"],
  [409, body("AnotherOperationInProgress"), "busy"],
  [429, body("RetryableError"), "busy"],
  [429, body("OperationNotAllowed", "quota of calls"), "rateLimited"],
  [412, body("PreconditionFailed", "m", [{ code: "PreconditionFailedEtagMismatch" }]), "changed"],
  [400, body("InUseSubnetCannotBeDeleted"), "inUse"],
  [400, body("NicReservedForAnotherVm"), "reserved"],
  [400, body("InvalidResourceReference"), "reference"],
  [400, body("InvalidParameter"), "invalid"],
  [409, body("SkuNotAvailable"), "sku"],
  [404, body("PlatformImageNotFound"), "image"],
  [503, "<html>", "unavailable"],
  [undefined, body("ZonalAllocationFailed"), "capacity"],
  [undefined, body("DeploymentFailed", "m", [{ code: "Conflict", details: [{ code: "QuotaExceeded" }] }]), "quota"],
  [undefined, body("OSProvisioningTimedOut"), "provisioning"],
])("%s %j is %s", (status, answer, expected) => {
  expect(meaningOf(failureIn(answer, status))).toBe(expected);
});

it("says what was tried, what Azure says, and what to do", () => {
  const error = armError("make virtualMachines m", failureIn(body("QuotaExceeded", "no cores"), 409));
  expect(error).toMatchObject({ code: "azure.quota", reason: "QuotaExceeded", retry: { kind: "after" } });
  expect(error.message).toBe(
    "could not make virtualMachines m: no cores (QuotaExceeded); ask Azure for a higher quota",
  );
});

it("waits as long as Azure asks to", () => {
  expect(armError("x", failureIn(body("TooManyRequests"), 429), 7000).retry).toEqual({ kind: "after", ms: 7000 });
});

it("shows no secrets that a message repeats", () => {
  const said = 'bad body {"customData":"c2VjcmV0"} from https://x/y?sig=abc';
  expect(failureIn(body("InvalidParameter", said), 400).message).not.toMatch(/c2VjcmV0|sig=abc/);
});

it("of several failures that is thrown which leaves open what came of a request", () => {
  const refused = armError("make a", failureIn(body("ScopeLocked"), 409));
  const unanswered = azureError("unavailable", "could not make b: no answer");
  expect(() => throwForemost([refused, unanswered])).toThrow(unanswered);
  expect(() => throwForemost([refused])).toThrow(refused);
  throwForemost([]);
});
