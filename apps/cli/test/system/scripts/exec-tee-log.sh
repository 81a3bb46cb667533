#!/bin/bash
exec > >(tee -a /var/log/user-data.log) 2>&1
echo "logged"
echo "also logged" >&2
sleep 0.2
