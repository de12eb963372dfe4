app_name = "battles"
urlpatterns = []
