// Nothing to call: what is defined here is declared in the headers of the libraries themselves.
