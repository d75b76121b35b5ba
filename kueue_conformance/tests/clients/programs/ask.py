"""Asks one server three times: GET, POST, GET."""

import ssl
import sys
from urllib.error import HTTPError
from urllib.request import Request, urlopen

context = ssl._create_unverified_context()  # the certificate is not what is tried here
post = Request(sys.argv[1], data=b'{"a": 1}', headers={"Content-Type": "application/json"})
for request in (Request(sys.argv[1]), post, Request(sys.argv[1])):
    try:
        with urlopen(request, context=context) as response:
            print(response.status)
    except HTTPError as error:
        with error:
            print(error.code)
