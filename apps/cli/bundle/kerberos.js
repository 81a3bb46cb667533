// Proxies that ask for Negotiate need this native library, in the SDK of Azure. Ours are spoken to by Node, which never asks for it.
throw new Error("kerberos is not in this bundle");
