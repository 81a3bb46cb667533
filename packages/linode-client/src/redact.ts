const hidden = "[redacted]";

/** Fields whose value opens or starts something, or pays for it. */
const secretFields = new Set([
  "card_number",
  "checkout_token",
  "cvv",
  "password",
  "private_key",
  "root_pass",
  "secret",
  "secret_key",
  "ssl_key",
  "stackscript_data",
  "token",
  "upload_to",
  "user_data",
]);

/** A URL that is its own permission. */
const signed = /[?&]X-Amz-Signature=/i;

/** A copy for logs: secret fields replaced at any depth. */
export const redactBody = (body: unknown): unknown => {
  if (Array.isArray(body)) return body.map(redactBody);
  if (typeof body === "string" && signed.test(body)) return hidden;
  if (body instanceof Uint8Array) return `${body.length} bytes`;
  if (typeof body !== "object" || body === null) return body;
  return Object.fromEntries(
    Object.entries(body).map(([key, value]) => [key, secretFields.has(key) ? hidden : redactBody(value)]),
  );
};

export const redactHeaders = (headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, name.toLowerCase() === "authorization" ? hidden : value]),
  );
