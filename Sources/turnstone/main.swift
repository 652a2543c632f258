print("turnstone")
