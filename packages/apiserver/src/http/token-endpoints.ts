import type { ServiceAccountTokens } from "../auth/service-account-tokens.ts";
import type { Handler } from "./context.ts";
import { jsonReply } from "./reply.ts";

/** Endpoints with which others verify ServiceAccount tokens themselves: the issuer's metadata and keys. */
export const tokenEndpoints = (accounts: ServiceAccountTokens): Readonly<Record<string, Handler>> => ({
  "/openid/v1/jwks": async () => jsonReply(200, JSON.stringify(accounts.jwks())),
  "/.well-known/openid-configuration": async () =>
    jsonReply(
      200,
      JSON.stringify({
        issuer: accounts.issuer,
        jwks_uri: `${accounts.issuer}/openid/v1/jwks`,
        response_types_supported: ["id_token"],
        subject_types_supported: ["public"],
        id_token_signing_alg_values_supported: [...new Set(accounts.jwks().keys.map(({ alg }) => alg))],
      }),
    ),
});
