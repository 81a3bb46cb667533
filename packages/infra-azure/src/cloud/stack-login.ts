import { isJsonObject } from "@capstan/schema";
import { azureError } from "../arm/arm-error.ts";
import type { ArmCall } from "../arm/arm-client.ts";
import type { Transport } from "../arm/arm-transport.ts";

/** Who gives tokens for an Azure Stack Hub, and for what. */
export interface StackLogin {
  readonly authority: string;
  readonly audience: string;
}

const version = "2015-01-01";

/** Where an Azure Stack Hub says that its login is; it says so to everybody. AD FS is asked below the tenant `adfs`. Throws `azure.unavailable`. */
export const stackLogin = async (endpoint: string, transport: Transport, call: ArmCall): Promise<StackLogin> => {
  const doing = "read where the login of Azure Stack is";
  const url = new URL(`/metadata/endpoints?api-version=${version}`, endpoint);
  const answer = await transport({
    method: "GET",
    url,
    headers: { accept: "application/json" },
    signal: call.signal,
    doing,
  });
  const said = isJsonObject(answer.body) ? answer.body["authentication"] : undefined;
  const { audiences, loginEndpoint } = isJsonObject(said) ? said : {};
  const [audience] = Array.isArray(audiences) ? (audiences as readonly unknown[]) : [];
  if (answer.status !== 200 || typeof loginEndpoint !== "string" || typeof audience !== "string") {
    const message = `could not ${doing}: ${url.origin}${url.pathname} answered ${answer.status} without login and audience; check AZURE_RESOURCE_MANAGER_ENDPOINT, or set AZURE_AUTHORITY_HOST and AZURE_RESOURCE_MANAGER_AUDIENCE; retrying`;
    throw azureError("unavailable", message);
  }
  return { authority: loginEndpoint.replace(/\/(?:adfs\/?)?$/i, ""), audience };
};
