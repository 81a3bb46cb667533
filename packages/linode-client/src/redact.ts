const hidden = "[redacted]";

/** Fields whose value opens or starts a machine, or a bucket. */
const secretFields = new Set([
  "user_data",
  "root_pass",
  "stackscript_data",
  "secret_key",
  "password",
  "token",
  "ssl_key",
]);

/** A copy for logs: secret fields replaced at any depth. */
export const redactBody = (body: unknown): unknown => {
  if (Array.isArray(body)) return body.map(redactBody);
  if (typeof body !== "object" || body === null) return body;
  return Object.fromEntries(
    Object.entries(body).map(([key, value]) => [key, secretFields.has(key) ? hidden : redactBody(value)]),
  );
};

export const redactHeaders = (headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, name.toLowerCase() === "authorization" ? hidden : value]),
  );
