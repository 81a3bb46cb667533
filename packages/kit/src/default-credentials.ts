export { readCredentialsFile } from "./default-credentials/credentials-file.ts";
export { requireDefaultCredentials } from "./default-credentials/require-default-credentials.ts";
