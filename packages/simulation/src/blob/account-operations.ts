import { element, xml } from "../http/xml.ts";
import type { BlobAnswer, BlobCall } from "./blob-call.ts";
import { blobRefusal } from "./blob-refusal.ts";
import { delegationKeyValue } from "./delegation-key.ts";

const maxLifeMs = 7 * 24 * 3_600_000;

/** The operations on the whole account, by method and `comp`. */
export const accountOperations: Readonly<Record<string, (call: BlobCall) => BlobAnswer>> = {
  "POST userdelegationkey": (call) => {
    call.access.demand("delegate");
    const { start, expiry } = periodOf(call);
    const { objectId = "", tenantId = "" } = call.access.identity ?? {};
    const claim = { objectId, tenantId, start, expiry, service: "b", version: call.headers["x-ms-version"] ?? "" };
    const body = xml("UserDelegationKey", [
      element("SignedOid", objectId),
      element("SignedTid", tenantId),
      element("SignedStart", start),
      element("SignedExpiry", expiry),
      element("SignedService", claim.service),
      element("SignedVersion", claim.version),
      element("Value", delegationKeyValue(call.account, claim)),
    ]);
    return { status: 200, headers: { "content-type": "application/xml" }, body };
  },
};

const periodOf = ({ body, now }: BlobCall): { readonly start: string; readonly expiry: string } => {
  const text = Buffer.from(body).toString("utf8");
  const [, start = "", expiry = ""] =
    /<KeyInfo>\s*<Start>([^<]+)<\/Start>\s*<Expiry>([^<]+)<\/Expiry>\s*<\/KeyInfo>/.exec(text) ?? [];
  const [from, until] = [start, expiry].map((time) => Date.parse(time)) as [number, number];
  if (Number.isNaN(from) || Number.isNaN(until)) {
    throw blobRefusal(400, "InvalidXmlDocument", "KeyInfo needs Start and Expiry.", { violation: true });
  }
  if (until <= now || until <= from || until > now + maxLifeMs) {
    throw blobRefusal(400, "InvalidXmlNodeValue", "Expiry must be after Start, in the future, and within seven days.");
  }
  return { start, expiry };
};
