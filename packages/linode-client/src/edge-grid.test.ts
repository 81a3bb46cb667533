import { expect, it } from "vitest";
import { edgeGridAuthorization, edgeGridTime } from "./edge-grid.ts";

const client = {
  accessToken: "akab-access-token-xxx-xxxxxxxxxxxxxxxx",
  clientToken: "akab-client-token-xxx-xxxxxxxxxxxxxxxx",
  clientSecret: "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx=",
};
const base = "https://akaa-baseurl-xxxxxxxxxxx-xxxxxxxxxxxxx.luna.akamaiapis.net";
const time = Date.UTC(2014, 2, 21, 19, 34, 21);
const nonce = "nonce-xx-xxxx-xxxx-xxxx-xxxxxxxxxxxx";

it("writes times as Akamai reads them", () => {
  expect(edgeGridTime(time)).toBe("20140321T19:34:21+0000");
});

it.each([
  ["GET", "/", undefined, "tL+y4hxyHxgWVD30X3pWnGKHcPzmrIF+LThiAOhMxYU="],
  ["GET", "/testapi/v1/t1?p1=1&p2=2", undefined, "hKDH1UlnQySSHjvIcZpDMbQHihTQ0XyVAKZaApabdeA="],
  ["POST", "/testapi/v1/t3", "datadatadatadatadatadatadatadata", "hXm4iCxtpN22m4cbZb4lVLW5rhX8Ca82vCFqXzSTPe4="],
])("signs %s %s as Akamai's own clients do", (method, path, body, signature) => {
  const signed = edgeGridAuthorization(client, { method, url: new URL(`${base}${path}`), body, time, nonce });
  expect(signed).toMatch(/^EG1-HMAC-SHA256 client_token=akab-client-[^;]+;access_token=akab-access-[^;]+;timestamp=/);
  expect(signed.split("signature=")[1]).toBe(signature);
});
